import { useState } from "react";
import { MakeSecretDialog } from "../records/make-secret-dialog.tsx";
import { request } from "../request.ts";
import { TextField } from "../ui/forms/form.tsx";
import { readText } from "../ui/forms/read-fields.ts";
import { HeaderFields, TopicFields, type Header } from "./endpoint-fields.tsx";
import { CreateEndpoint } from "./endpoint-mutations.ts";
import { copy } from "./copy.ts";

/** Creates an endpoint and shows its signing secret once. */
export function CreateEndpointDialog({ shopId, onClose }: { shopId: string; onClose: () => void }) {
  const [topics, setTopics] = useState<string[]>([]);
  const [headers, setHeaders] = useState<Header[]>([]);
  const make = async (values: FormData) => {
    const url = readText(values, "url");
    const description = readText(values, "description") || null;
    const answer = await request(CreateEndpoint, { shopId, input: { url, description, topics, headers } });
    return { secret: answer.createWebhookEndpoint.secret, title: copy.createDone };
  };
  return (
    <MakeSecretDialog
      title={copy.createTitle}
      label={copy.add}
      empty={copy.emptyFields}
      make={make}
      use={copy.secretHint}
      onClose={onClose}
    >
      <TextField name="url" label={copy.fields.url} hint={copy.fields.urlHint} autoFocus />
      <TextField name="description" label={copy.fields.description} hint={copy.fields.descriptionHint} />
      <TopicFields chosen={topics} onChange={setTopics} />
      <HeaderFields headers={headers} onChange={setHeaders} />
    </MakeSecretDialog>
  );
}
