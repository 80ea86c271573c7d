import { Switch } from "../ui/forms/form.tsx";
import { Section } from "../ui/page.tsx";
import { Notice } from "../ui/states.tsx";
import { useNotificationChange, type NotificationSetting } from "./shop-queries.ts";
import styles from "./settings.module.css";
import { copy } from "./copy.ts";

/** Switches for the viewer's email notifications about the shop. */
export function Notifications({ shopId, settings }: { shopId: string; settings: readonly NotificationSetting[] }) {
  const change = useNotificationChange(shopId);
  return (
    <Section title={copy.notifications.title}>
      <div className={styles.card}>
        {change.error && <Notice tone="bad">{change.error.message}</Notice>}
        {settings.map(({ kind, enabled }) => (
          <Switch
            key={kind}
            label={copy.notifications.kinds[kind]}
            checked={enabled}
            onChange={(checked) => !change.isPending && change.mutate({ kind, enabled: checked })}
          />
        ))}
        <p className={styles.soft}>{copy.notifications.hint}</p>
      </div>
    </Section>
  );
}
