import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { request } from "../request.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialogs/dialog.tsx";
import { Checkbox, Form, TextField } from "../ui/forms/form.tsx";
import { tell } from "../ui/toasts.tsx";
import { HeaderFields, TopicFields, type Header } from "./endpoint-fields.tsx";
import { DeleteEndpoint, UpdateEndpoint } from "./endpoint-mutations.ts";
import type { Endpoint } from "./endpoint-queries.ts";

export interface ChangeProps {
  shopId: string;
  endpoint: Endpoint;
  onClose: () => void;
}

export function EditEndpointDialog({ shopId, endpoint, onClose }: ChangeProps) {
  const client = useQueryClient();
  const [topics, setTopics] = useState([...endpoint.topics]);
  const [headers, setHeaders] = useState<Header[]>([]);
  const names = endpoint.headerNames;
  const [replaces, setReplaces] = useState(names.length === 0);
  const update = useMutation({
    mutationFn: (values: FormData) => {
      const input = {
        url: String(values.get("url")),
        description: String(values.get("description")) || null,
        topics,
        ...(replaces && { headers }),
      };
      return request(UpdateEndpoint, { shopId, id: endpoint.id, input });
    },
    gcTime: 0,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["endpoints", shopId] });
      tell("The endpoint is changed");
      onClose();
    },
  });
  return (
    <Dialog open title="Edit endpoint" onClose={onClose}>
      <Form error={update.error} onSubmit={(values) => !update.isPending && update.mutate(values)}>
        <TextField name="url" label="URL" defaultValue={endpoint.url} autoFocus />
        <TextField name="description" label="Description" defaultValue={endpoint.description ?? ""} />
        <TopicFields chosen={topics} onChange={setTopics} />
        {names.length > 0 && (
          <Checkbox label={`Replace its headers: ${names.join(", ")}`} checked={replaces} onChange={setReplaces} />
        )}
        {replaces && <HeaderFields headers={headers} onChange={setHeaders} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={update.isPending}>
            Save
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

export function DeleteEndpointDialog({ shopId, endpoint, onClose }: ChangeProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => request(DeleteEndpoint, { shopId, id: endpoint.id }),
    onSuccess: async () => {
      await navigate({ to: "/$shopId/endpoints", params: { shopId } });
      await client.invalidateQueries({ queryKey: ["endpoints", shopId], exact: true });
      tell("The endpoint is deleted");
    },
  });
  return (
    <Dialog
      open
      title="Delete this endpoint?"
      description={`Nothing is sent to ${endpoint.url} any more, and its deliveries are gone. This cannot be undone.`}
      onClose={onClose}
    >
      <Form error={remove.error} onSubmit={() => !remove.isPending && remove.mutate()}>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" busy={remove.isPending}>
            Delete endpoint
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
