import { useState } from "react";
import { MakeSecretDialog } from "../records/make-secret-dialog.tsx";
import { request } from "../request.ts";
import { TextField } from "../ui/forms/form.tsx";
import { readText } from "../ui/forms/read-fields.ts";
import { HeaderFields, TopicFields, type Header } from "./endpoint-fields.tsx";
import { CreateEndpoint } from "./endpoint-mutations.ts";

export const SECRET_USE =
  "With it your receiver verifies that deliveries come from this shop. Keep it where the receiver runs.";

/** Asks for an address, topics and headers, and then shows the signing secret once. */
export function CreateEndpointDialog({ shopId, onClose }: { shopId: string; onClose: () => void }) {
  const [topics, setTopics] = useState<string[]>([]);
  const [headers, setHeaders] = useState<Header[]>([]);
  const make = async (values: FormData) => {
    const url = readText(values, "url");
    const description = readText(values, "description") || null;
    const answer = await request(CreateEndpoint, { shopId, input: { url, description, topics, headers } });
    return { secret: answer.createWebhookEndpoint.secret, title: "The endpoint is ready" };
  };
  return (
    <MakeSecretDialog title="Add webhook endpoint" label="Add endpoint" make={make} use={SECRET_USE} onClose={onClose}>
      <TextField name="url" label="URL" hint="Where your server takes deliveries, by https." autoFocus />
      <TextField
        name="description"
        label="Description (optional)"
        hint="What it is for, such as “Stock of the warehouse”."
      />
      <TopicFields chosen={topics} onChange={setTopics} />
      <HeaderFields headers={headers} onChange={setHeaders} />
    </MakeSecretDialog>
  );
}
