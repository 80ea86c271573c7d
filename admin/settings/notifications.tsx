import { Switch } from "../ui/forms/form.tsx";
import { Section } from "../ui/page.tsx";
import { Notice } from "../ui/states.tsx";
import { useNotificationChange, type NotificationSetting } from "./shop-queries.ts";
import styles from "./settings.module.css";

const texts: Record<NotificationSetting["kind"], string> = {
  WEBHOOK_ENDPOINT_FAILING: "A webhook endpoint has failed for an hour",
  WEBHOOK_ENDPOINT_SUSPENDED: "A webhook endpoint has failed for a day, and will be disabled",
  WEBHOOK_ENDPOINT_DISABLED: "A webhook endpoint was disabled",
  WEBHOOK_DELIVERIES_USED_UP: "Deliveries failed at the last of their attempts",
  CREDENTIAL_EXPIRING: "An API key or a service token expires in a week",
  TRIAL_ENDING: "The shop's trial ends in a week",
};

/** Switches for the mails about the shop that reach the viewer. */
export function Notifications({ shopId, settings }: { shopId: string; settings: readonly NotificationSetting[] }) {
  const change = useNotificationChange(shopId);
  return (
    <Section title="Mails to you">
      <div className={styles.card}>
        {change.error && <Notice tone="bad">{change.error.message}</Notice>}
        {settings.map(({ kind, enabled }) => (
          <Switch
            key={kind}
            label={texts[kind]}
            checked={enabled}
            onChange={(checked) => !change.isPending && change.mutate({ kind, enabled: checked })}
          />
        ))}
        <p className={styles.soft}>At most one of each kind an hour. Mails about your account are always sent.</p>
      </div>
    </Section>
  );
}
