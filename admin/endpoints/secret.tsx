import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../request.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialogs/dialog.tsx";
import { Checkbox, FieldGroup, Form } from "../ui/forms/form.tsx";
import { hoursAway, isAhead } from "../ui/values/moments.ts";
import { Section } from "../ui/page.tsx";
import { SecretDialog } from "../ui/dialogs/secret-dialog.tsx";
import { Select } from "../ui/forms/select.tsx";
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

const overlaps = [
  ["0", "At once"],
  ["1", "In an hour"],
  ["24", "In a day"],
  ["168", "In a week"],
] as const;

/** Which secret signs, until when the one before is good, and how to change over. */
export function SecretSection({ shopId, endpoint }: { shopId: string; endpoint: Endpoint }) {
  const client = useQueryClient();
  const [isRotating, setRotating] = useState(false);
  const activate = useMutation({
    mutationFn: () => request(ActivateSecret, { shopId, id: endpoint.id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["endpoints", shopId] });
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
          The new secret signs. Till it ends <Time value={oldSecretExpiresAt} />, the old one signs too.
        </p>
      )}
      {isWaiting && (
        <div className={styles.row}>
          <p>
            Both secrets are in <code>webhook-signature</code>. The old one alone keys <code>X-Webhook-Signature</code>,
            till the new one takes over <Time value={secretActiveAt} />.
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

function RotateSecretDialog({ shopId, endpoint, onClose }: ChangeProps) {
  const client = useQueryClient();
  const [hours, setHours] = useState<(typeof overlaps)[number][0]>("24");
  const [waits, setWaits] = useState(false);
  const rotate = useMutation({
    mutationFn: () => {
      const overlapHours = Number(hours);
      const end = hoursAway(overlapHours - MARGIN);
      const input = { overlapHours, activeAt: waits && overlapHours > 0 ? end : null };
      return request(RotateSecret, { shopId, id: endpoint.id, input });
    },
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: ["endpoints", shopId] }),
  });
  const secret = rotate.data?.rotateWebhookSecret.secret;
  if (secret) {
    return <SecretDialog title="The new secret" description={SECRET_USE} secret={secret} onClose={onClose} />;
  }
  return (
    <Dialog open title="Rotate the signing secret" onClose={onClose}>
      <Form error={rotate.error} onSubmit={() => !rotate.isPending && rotate.mutate()}>
        <FieldGroup
          name="overlapHours"
          label="The old secret ends"
          hint="Till then webhook-signature has a signature by each."
        >
          <div>
            <Select
              label="The old secret ends"
              value={hours}
              options={overlaps}
              onChange={(chosen) => setHours(chosen ?? "24")}
            />
          </div>
        </FieldGroup>
        <FieldGroup
          name="activeAt"
          label="X-Webhook-Signature"
          hint="It has room for one signature. With this, you say on the page when the new secret takes over."
        >
          <Checkbox
            label="Keep the old secret until I say so, or it ends"
            checked={waits && hours !== "0"}
            disabled={hours === "0"}
            onChange={setWaits}
          />
        </FieldGroup>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={rotate.isPending}>
            Make new secret
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
