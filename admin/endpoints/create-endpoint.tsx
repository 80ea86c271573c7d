import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../request.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialogs/dialog.tsx";
import { Form, TextField } from "../ui/forms/form.tsx";
import { SecretDialog } from "../ui/dialogs/secret-dialog.tsx";
import { HeaderFields, TopicFields, type Header } from "./endpoint-fields.tsx";
import { CreateEndpoint } from "./endpoint-mutations.ts";

export const SECRET_USE =
  "Your receiver verifies by it that deliveries come from this shop. Keep it where the receiver runs.";

/** Asks for an address, topics and headers, and then shows the signing secret once. */
export function CreateEndpointDialog({ shopId, onClose }: { shopId: string; onClose: () => void }) {
  const client = useQueryClient();
  const [topics, setTopics] = useState<string[]>([]);
  const [headers, setHeaders] = useState<Header[]>([]);
  const create = useMutation({
    mutationFn: (values: FormData) =>
      request(CreateEndpoint, {
        shopId,
        input: {
          url: String(values.get("url")),
          description: String(values.get("description")) || null,
          topics,
          headers,
        },
      }),
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: ["endpoints", shopId] }),
  });
  const secret = create.data?.createWebhookEndpoint.secret;
  if (secret) {
    return <SecretDialog title="The endpoint is ready" description={SECRET_USE} secret={secret} onClose={onClose} />;
  }
  return (
    <Dialog open title="Add webhook endpoint" onClose={onClose}>
      <Form error={create.error} onSubmit={(values) => !create.isPending && create.mutate(values)}>
        <TextField name="url" label="URL" hint="Where your server takes deliveries, by https." autoFocus />
        <TextField name="description" label="Description" hint="What it is for, such as “Stock of the warehouse”." />
        <TopicFields chosen={topics} onChange={setTopics} />
        <HeaderFields headers={headers} onChange={setHeaders} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            Add endpoint
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
