import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { request } from "../request.ts";
import { Button } from "../ui/button.tsx";
import { Copyable } from "../ui/values/copy-button.tsx";
import { Switch } from "../ui/forms/form.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { fact, Facts, Page, Section } from "../ui/page.tsx";
import { Notice } from "../ui/states.tsx";
import { Tags } from "../ui/values/tags.tsx";
import { Time } from "../ui/values/time.tsx";
import { DeleteEndpointDialog, EditEndpointDialog } from "./endpoint-dialogs.tsx";
import { endpointQuery, UpdateEndpoint, type Endpoint } from "./endpoint-queries.ts";
import { IgnoredActors } from "./endpoint-fields.tsx";
import { ExplanationSection } from "./explanation.tsx";
import { Figures } from "./figures.tsx";
import layout from "../ui/layout.module.css";
import { Health, HealthBadge, Manager } from "./health.tsx";
import { PullSample } from "./pull.tsx";
import { ReceiverCheckSection } from "./receiver-check.tsx";
import { ReplaySection } from "./replay.tsx";
import { SecretSection } from "./secret.tsx";
import { TestEventSection } from "./test-event.tsx";
import { BackLink } from "../records/back-link.tsx";
import { copy as recordCopy } from "../records/copy.ts";
import { Sentence } from "../ui/sentence.tsx";
import { copy } from "./copy.ts";

export function EndpointPage() {
  const { id: shopId } = useShop();
  const { endpointId } = useParams({ from: "/$shopId/endpoints/$endpointId" });
  const { data: endpoint } = useSuspenseQuery(endpointQuery(shopId, endpointId));
  const [change, setChange] = useState<"edit" | "delete">();
  const close = () => setChange(undefined);
  return (
    <Page
      title={endpoint.name}
      back={<BackLink to="/$shopId/endpoints" title={copy.title} />}
      description={endpoint.isPull ? null : endpoint.description}
      action={
        <div className={layout.row}>
          <HealthBadge endpoint={endpoint} />
          <Button onClick={() => setChange("edit")}>{copy.edit}</Button>
          <Menu label={copy.moreActions}>
            <MenuItem isDanger onClick={() => setChange("delete")}>
              {copy.delete}
            </MenuItem>
          </Menu>
        </div>
      }
    >
      <div className={layout.card}>
        <Manager endpoint={endpoint} />
        <Health endpoint={endpoint} />
        <Figures shopId={shopId} endpoint={endpoint} />
        <div className={layout.row}>
          <PauseSwitch shopId={shopId} endpoint={endpoint} />
          <Link to="/$shopId/deliveries" params={{ shopId }} search={{ endpoint: endpoint.id }}>
            {copy.viewDeliveries}
          </Link>
        </div>
      </div>
      {endpoint.isPull && <PullSample shopId={shopId} endpointId={endpoint.id} />}
      <div id="test-event">
        <TestEventSection shopId={shopId} endpoint={endpoint} />
      </div>
      {!endpoint.isPull && <ReceiverCheckSection shopId={shopId} endpointId={endpoint.id} />}
      <ExplanationSection shopId={shopId} endpoint={endpoint} />
      <ReplaySection shopId={shopId} endpoint={endpoint} />
      {!endpoint.isPull && <SecretSection shopId={shopId} endpoint={endpoint} />}
      <Section title={copy.details}>
        <Facts facts={listFacts(shopId, endpoint)} />
      </Section>
      {change === "edit" && <EditEndpointDialog shopId={shopId} endpoint={endpoint} onClose={close} />}
      {change === "delete" && <DeleteEndpointDialog shopId={shopId} endpoint={endpoint} onClose={close} />}
    </Page>
  );
}

function PauseSwitch({ shopId, endpoint }: { shopId: string; endpoint: Endpoint }) {
  const client = useQueryClient();
  const pause = useMutation({
    mutationFn: (paused: boolean) => request(UpdateEndpoint, { shopId, id: endpoint.id, input: { paused } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["records", shopId, "endpoints"] }),
  });
  return (
    <>
      <Switch
        label={endpoint.isPull ? copy.pull.activeSwitch : copy.activeSwitch}
        checked={!(pause.isPending ? pause.variables : endpoint.paused)}
        onChange={(active) => !pause.isPending && pause.mutate(!active)}
      />
      {pause.error && <Notice tone="bad">{pause.error.message}</Notice>}
    </>
  );
}

function listFacts(shopId: string, endpoint: Endpoint) {
  const { id, topics, fields, ignoredActorIds, isPull, headerNames, createdAt, createdByName } = endpoint;
  const headers = headerNames.length > 0 ? copy.headerNames(headerNames.join(", ")) : copy.noHeaders;
  return [
    fact(copy.topics, <Tags tags={topics.map((topic) => [topic] as const)} />),
    ...(fields.length > 0 ? [fact(copy.filters.fields, <Tags tags={fields.map((name) => [name] as const)} />)] : []),
    ...(ignoredActorIds.length > 0
      ? [fact(copy.filters.actors, <IgnoredActors shopId={shopId} endpoint={endpoint} />)]
      : []),
    ...(isPull ? [] : [fact(copy.headers, headers)]),
    fact(
      copy.created,
      <Sentence
        text={copy.createdBy}
        parts={{ time: <Time value={createdAt} />, name: createdByName ?? recordCopy.anOperator }}
      />,
    ),
    fact(copy.id, <Copyable text={id} label={copy.copyId} />),
  ];
}
