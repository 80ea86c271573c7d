import { useState } from "react";
import { ChangeDialog, MakeSecretDialog } from "../records/change-dialog.tsx";
import { request } from "../request.ts";
import { Checkbox, readText, TextField } from "../ui/forms/form.tsx";
import { HeaderFields, TopicFields, type Header } from "./endpoint-fields.tsx";
import { CreateEndpoint, DeleteEndpoint, UpdateEndpoint, type Endpoint } from "./endpoint-queries.ts";
import { useNavigate } from "@tanstack/react-router";
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

export interface ChangeProps {
  shopId: string;
  endpoint: Endpoint;
  onClose: () => void;
}

export function EditEndpointDialog({ shopId, endpoint, onClose }: ChangeProps) {
  const { id, url, description, headerNames } = endpoint;
  const [topics, setTopics] = useState([...endpoint.topics]);
  const [headers, setHeaders] = useState<Header[]>([]);
  const [replaces, setReplaces] = useState(headerNames.length === 0);
  const update = (values: FormData) => {
    const input = {
      url: readText(values, "url"),
      description: readText(values, "description") || null,
      topics,
      ...(replaces && { headers }),
    };
    return request(UpdateEndpoint, { shopId, id, input });
  };
  return (
    <ChangeDialog
      title={copy.editTitle}
      label={copy.save}
      empty={copy.emptyFields}
      change={update}
      successMessage={copy.editDone}
      onClose={onClose}
    >
      <TextField name="url" label={copy.fields.url} defaultValue={url} autoFocus />
      <TextField name="description" label={copy.fields.description} defaultValue={description ?? ""} />
      <TopicFields chosen={topics} onChange={setTopics} />
      {headerNames.length > 0 && (
        <Checkbox
          label={copy.fields.replaceHeaders(headerNames.join(", "))}
          checked={replaces}
          onChange={setReplaces}
        />
      )}
      {replaces && <HeaderFields headers={headers} onChange={setHeaders} />}
    </ChangeDialog>
  );
}

export function DeleteEndpointDialog({ shopId, endpoint: { id, url }, onClose }: ChangeProps) {
  const navigate = useNavigate();
  return (
    <ChangeDialog
      title={copy.deleteTitle}
      description={copy.deleteText(url)}
      label={copy.deleteSubmit}
      isDanger
      change={() => request(DeleteEndpoint, { shopId, id })}
      successMessage={copy.deleteDone}
      onDone={() => navigate({ to: "/$shopId/endpoints", params: { shopId } })}
      onClose={onClose}
    />
  );
}
