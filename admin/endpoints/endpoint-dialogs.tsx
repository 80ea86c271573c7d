import { useState } from "react";
import { ChangeDialog, MakeSecretDialog } from "../records/change-dialog.tsx";
import { request } from "../request.ts";
import { Checkbox, readText, TextField } from "../ui/forms/form.tsx";
import { Choice, optionsOf } from "../ui/forms/select.tsx";
import { toast } from "../ui/toasts.tsx";
import { FilterFields, filtersFor, noFilters, type Filters } from "./filter-fields.tsx";
import { HeaderFields, TopicFields, type Header } from "./endpoint-fields.tsx";
import {
  CreateEndpoint,
  CreatePullEndpoint,
  DeleteEndpoint,
  UpdateEndpoint,
  type Endpoint,
} from "./endpoint-queries.ts";
import { useNavigate } from "@tanstack/react-router";
import { copy } from "./copy.ts";

type Way = keyof typeof copy.fields.ways;
const ways = optionsOf<Way>(copy.fields.ways);

/** Creates an endpoint. Shows the signing secret once, or the page of a pull endpoint. */
export function CreateEndpointDialog({ shopId, onClose }: { shopId: string; onClose: () => void }) {
  const [topics, setTopics] = useState<string[]>([]);
  const [headers, setHeaders] = useState<Header[]>([]);
  const [filters, setFilters] = useState(noFilters);
  const [way, setWay] = useState<Way>("push");
  const navigate = useNavigate();
  const make = async (values: FormData) => {
    const settings = {
      description: readText(values, "description") || null,
      topics,
      ...filtersFor(topics, filters),
    };
    if (way === "pull") {
      const { createPullEndpoint } = await request(CreatePullEndpoint, { shopId, input: settings });
      toast(copy.createDone);
      await navigate({
        to: "/$shopId/endpoints/$endpointId",
        params: { shopId, endpointId: createPullEndpoint.id },
      });
      return undefined;
    }
    const answer = await request(CreateEndpoint, {
      shopId,
      input: { ...settings, url: readText(values, "url"), headers },
    });
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
      <Choice
        name="way"
        label={copy.fields.way}
        hint={copy.fields.wayHints[way]}
        value={way}
        options={ways}
        onChange={setWay}
      />
      {way === "push" && <TextField name="url" label={copy.fields.url} hint={copy.fields.urlHint} autoFocus />}
      <TextField name="description" label={copy.fields.description} hint={copy.fields.descriptionHint} />
      <TopicFields chosen={topics} onChange={setTopics} />
      <FilterFields shopId={shopId} topics={topics} filters={filters} onChange={setFilters} />
      {way === "push" && <HeaderFields headers={headers} onChange={setHeaders} />}
    </MakeSecretDialog>
  );
}

export interface ChangeProps {
  shopId: string;
  endpoint: Endpoint;
  onClose: () => void;
}

export function EditEndpointDialog({ shopId, endpoint, onClose }: ChangeProps) {
  const { id, url, isPull, description, headerNames } = endpoint;
  const [topics, setTopics] = useState([...endpoint.topics]);
  const [filters, setFilters] = useState<Filters>(endpoint);
  const [headers, setHeaders] = useState<Header[]>([]);
  const [replaces, setReplaces] = useState(headerNames.length === 0);
  const update = (values: FormData) => {
    const input = {
      ...(!isPull && { url: readText(values, "url") }),
      description: readText(values, "description") || null,
      topics,
      ...filtersFor(topics, filters),
      ...(!isPull && replaces && { headers }),
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
      {!isPull && <TextField name="url" label={copy.fields.url} defaultValue={url} autoFocus />}
      <TextField name="description" label={copy.fields.description} defaultValue={description ?? ""} />
      <TopicFields chosen={topics} onChange={setTopics} />
      <FilterFields shopId={shopId} topics={topics} filters={filters} onChange={setFilters} />
      {headerNames.length > 0 && (
        <Checkbox
          label={copy.fields.replaceHeaders(headerNames.join(", "))}
          checked={replaces}
          onChange={setReplaces}
        />
      )}
      {replaces && !isPull && <HeaderFields headers={headers} onChange={setHeaders} />}
    </ChangeDialog>
  );
}

export function DeleteEndpointDialog({ shopId, endpoint: { id, name, isPull }, onClose }: ChangeProps) {
  const navigate = useNavigate();
  return (
    <ChangeDialog
      title={copy.deleteTitle}
      description={isPull ? copy.deletePullText(name) : copy.deleteText(name)}
      label={copy.deleteSubmit}
      isDanger
      change={() => request(DeleteEndpoint, { shopId, id })}
      successMessage={copy.deleteDone}
      onDone={() => navigate({ to: "/$shopId/endpoints", params: { shopId } })}
      onClose={onClose}
    />
  );
}
