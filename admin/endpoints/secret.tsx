import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { OverlapField, type Overlap } from "../credentials/expiry-fields.tsx";
import { MakeSecretDialog } from "../records/change-dialog.tsx";
import { request } from "../request.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox, FieldGroup } from "../ui/forms/form.tsx";
import { hoursAway, isAhead, Time } from "../ui/values/time.tsx";
import { Section } from "../ui/page.tsx";
import { Notice } from "../ui/states.tsx";
import { toast } from "../ui/toasts.tsx";
import type { ChangeProps } from "./endpoint-dialogs.tsx";
import { ActivateSecret, RotateSecret, type Endpoint } from "./endpoint-queries.ts";
import layout from "../ui/layout.module.css";
import { Sentence } from "../ui/sentence.tsx";
import { copy } from "./copy.ts";

/** Hours of tolerance between the clocks of the page and of the server. */
const MARGIN = 0.25;

/** The state of the signing secrets, with buttons to rotate and activate them. */
export function SecretSection({ shopId, endpoint }: { shopId: string; endpoint: Endpoint }) {
  const client = useQueryClient();
  const [isRotating, setRotating] = useState(false);
  const activate = useMutation({
    mutationFn: () => request(ActivateSecret, { shopId, id: endpoint.id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["records", shopId, "endpoints"] });
      toast(copy.secret.activated);
    },
  });
  const { secretActiveAt, oldSecretExpiresAt } = endpoint;
  const isWaiting = isAhead(secretActiveAt);
  const isOverlapping = isAhead(oldSecretExpiresAt);
  return (
    <Section title={copy.secret.title} action={<Button onClick={() => setRotating(true)}>{copy.secret.rotate}</Button>}>
      {!isOverlapping && <p>{copy.secret.single}</p>}
      {isOverlapping && !isWaiting && (
        <p>
          <Sentence text={copy.secret.overlap} parts={{ time: <Time value={oldSecretExpiresAt} /> }} />
        </p>
      )}
      {isWaiting && (
        <div className={layout.row}>
          <p>
            <Sentence
              text={copy.secret.waiting}
              parts={{
                standard: <code>webhook-signature</code>,
                legacy: <code>X-Webhook-Signature</code>,
                time: <Time value={secretActiveAt} />,
              }}
            />
          </p>
          <Button busy={activate.isPending} onClick={() => activate.mutate()}>
            {copy.secret.activate}
          </Button>
        </div>
      )}
      {activate.error && <Notice tone="bad">{activate.error.message}</Notice>}
      {isRotating && <RotateSecretDialog shopId={shopId} endpoint={endpoint} onClose={() => setRotating(false)} />}
    </Section>
  );
}

function RotateSecretDialog({ shopId, endpoint: { id }, onClose }: ChangeProps) {
  const [overlap, setOverlap] = useState<Overlap>("24");
  const [waits, setWaits] = useState(false);
  const make = async () => {
    const overlapHours = Number(overlap);
    const activeAt = waits && overlapHours > 0 ? hoursAway(overlapHours - MARGIN) : null;
    const { rotateWebhookSecret } = await request(RotateSecret, { shopId, id, input: { overlapHours, activeAt } });
    return { secret: rotateWebhookSecret.secret, title: copy.secret.rotated };
  };
  return (
    <MakeSecretDialog
      title={copy.secret.rotateTitle}
      label={copy.secret.rotateSubmit}
      make={make}
      use={copy.secretHint}
      onClose={onClose}
    >
      <OverlapField label={copy.secret.old} hint={copy.secret.oldHint} value={overlap} onChange={setOverlap} />
      <FieldGroup name="activeAt" label={copy.secret.legacy} hint={copy.secret.legacyHint}>
        <Checkbox
          label={copy.secret.delaySwitch}
          checked={waits && overlap !== "0"}
          disabled={overlap === "0"}
          onChange={setWaits}
        />
      </FieldGroup>
    </MakeSecretDialog>
  );
}
