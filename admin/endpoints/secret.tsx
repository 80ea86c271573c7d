import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { OverlapField, type Overlap } from "../credentials/overlap-field.tsx";
import { MakeSecretDialog } from "../records/make-secret-dialog.tsx";
import { request } from "../request.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox, FieldGroup } from "../ui/forms/form.tsx";
import { hoursAway, isAhead } from "../ui/values/moments.ts";
import { Section } from "../ui/page.tsx";
import { Notice } from "../ui/states.tsx";
import { Time } from "../ui/values/time.tsx";
import { tell } from "../ui/toasts.tsx";
import type { ChangeProps } from "./change-endpoint.tsx";
import { SECRET_USE } from "./create-endpoint.tsx";
import { ActivateSecret, RotateSecret } from "./endpoint-mutations.ts";
import type { Endpoint } from "./endpoint-queries.ts";
import styles from "./endpoints.module.css";

/** Hours. The clocks of the page and of the server differ a little. */
const MARGIN = 0.25;

/** The secret that signs, the end of the one before, and the way to change over. */
export function SecretSection({ shopId, endpoint }: { shopId: string; endpoint: Endpoint }) {
  const client = useQueryClient();
  const [isRotating, setRotating] = useState(false);
  const activate = useMutation({
    mutationFn: () => request(ActivateSecret, { shopId, id: endpoint.id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["records", shopId, "endpoints"] });
      tell("The new secret signs from now on");
    },
  });
  const { secretActiveAt, oldSecretExpiresAt } = endpoint;
  const isWaiting = isAhead(secretActiveAt);
  const isOverlapping = isAhead(oldSecretExpiresAt);
  return (
    <Section title="Signing secret" action={<Button onClick={() => setRotating(true)}>Rotate secret</Button>}>
      {!isOverlapping && <p>One secret signs every delivery.</p>}
      {isOverlapping && !isWaiting && (
        <p>
          The new secret signs. Until it ends <Time value={oldSecretExpiresAt} />, the old one signs too.
        </p>
      )}
      {isWaiting && (
        <div className={styles.row}>
          <p>
            Both secrets are in <code>webhook-signature</code>. The old one alone keys <code>X-Webhook-Signature</code>,
            until the new one takes over <Time value={secretActiveAt} />.
          </p>
          <Button busy={activate.isPending} onClick={() => activate.mutate()}>
            Sign with the new one now
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
    return { secret: rotateWebhookSecret.secret, title: "The new secret" };
  };
  return (
    <MakeSecretDialog
      title="Rotate the signing secret"
      label="Make new secret"
      make={make}
      use={SECRET_USE}
      onClose={onClose}
    >
      <OverlapField
        label="The old secret ends"
        hint="Until then webhook-signature has a signature by each."
        value={overlap}
        onChange={setOverlap}
      />
      <FieldGroup
        name="activeAt"
        label="X-Webhook-Signature"
        hint="It has room for one signature. With this, you say on the page when the new secret takes over."
      >
        <Checkbox
          label="Keep the old secret until I say so, or it ends"
          checked={waits && overlap !== "0"}
          disabled={overlap === "0"}
          onChange={setWaits}
        />
      </FieldGroup>
    </MakeSecretDialog>
  );
}
