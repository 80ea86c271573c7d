import { useState } from "react";
import { ChangeDialog, MakeSecretDialog } from "../records/change-dialog.tsx";
import { request } from "../request.ts";
import { Choice, optionsOf } from "../ui/forms/select.tsx";
import { toast } from "../ui/toasts.tsx";
import { EndpointFields, readPushSettings, readSettings } from "./endpoint-fields.tsx";
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
  const [way, setWay] = useState<Way>("push");
  const navigate = useNavigate();
  const make = async (values: FormData) => {
    const input = readSettings(values);
    if (way === "pull") {
      const { createPullEndpoint } = await request(CreatePullEndpoint, { shopId, input });
      toast(copy.createDone);
      await navigate({
        to: "/$shopId/endpoints/$endpointId",
        params: { shopId, endpointId: createPullEndpoint.id },
      });
      return undefined;
    }
    const answer = await request(CreateEndpoint, { shopId, input: { ...input, ...readPushSettings(values) } });
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
      <EndpointFields shopId={shopId} isPull={way === "pull"} />
    </MakeSecretDialog>
  );
}

export interface ChangeProps {
  shopId: string;
  endpoint: Endpoint;
  onClose: () => void;
}

export function EditEndpointDialog({ shopId, endpoint, onClose }: ChangeProps) {
  const { id, isPull } = endpoint;
  const update = (values: FormData) => {
    const input = { ...readSettings(values), ...(!isPull && readPushSettings(values)) };
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
      <EndpointFields shopId={shopId} endpoint={endpoint} isPull={isPull} />
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
