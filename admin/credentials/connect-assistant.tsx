import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogBody } from "../ui/dialogs/dialog.tsx";
import { Choice } from "../ui/forms/select.tsx";
import { Facts, fact } from "../ui/page.tsx";
import { Copyable, CopyButton } from "../ui/values/copy-button.tsx";
import { RawText } from "../ui/values/raw-text.tsx";
import styles from "./credentials.module.css";
import { assistant as copy } from "./copy.ts";

const NAME = "merchant-api";

const asJson = (value: object) => JSON.stringify(value, null, 2);

/** The configuration of each client, for a server and the placeholder of a secret. */
const snippets = {
  "Claude Code": (url: string, secret: string) =>
    `claude mcp add --transport http ${NAME} ${url} \\\n  --header "Authorization: Bearer ${secret}"`,
  Codex: (url: string, secret: string) =>
    `[mcp_servers.${NAME}]\nurl = "${url}"\nhttp_headers = { "Authorization" = "Bearer ${secret}" }`,
  Cursor: (url: string, secret: string) =>
    asJson({ mcpServers: { [NAME]: { url, headers: { Authorization: `Bearer ${secret}` } } } }),
  "VS Code": (url: string, secret: string) =>
    asJson({ servers: { [NAME]: { type: "http", url, headers: { Authorization: `Bearer ${secret}` } } } }),
};
type Client = keyof typeof snippets;

const clients = (Object.keys(snippets) as Client[]).map((name) => [name, name] as const);

/** A button that shows how assistants connect with a credential of this kind. */
export function ConnectAssistant({ kind }: { kind: "apiKey" | "service" }) {
  const [isOpen, setOpen] = useState(false);
  const [client, setClient] = useState<Client>("Claude Code");
  const url = `${location.origin}/mcp`;
  const snippet = snippets[client](url, kind === "apiKey" ? "<key>" : "<token>");
  return (
    <>
      <Button onClick={() => setOpen(true)}>{copy.connect}</Button>
      {isOpen && (
        <Dialog open title={copy.connect} description={copy.description} onClose={() => setOpen(false)}>
          <DialogBody>
            <Facts facts={[fact(copy.address, <Copyable text={url} label={copy.copyAddress} />)]} />
            <Choice name="client" label={copy.client} value={client} options={clients} onChange={setClient} />
            <div className={styles.example}>
              <div className={styles.head}>
                <p>{copy.hint[kind]}</p>
                <CopyButton text={snippet} label={copy.copySnippet} />
              </div>
              <RawText label={client}>{snippet}</RawText>
            </div>
          </DialogBody>
        </Dialog>
      )}
    </>
  );
}
