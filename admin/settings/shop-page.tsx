import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useShop, useViewer } from "../queries.ts";
import { planNames } from "../copy.ts";
import { Button } from "../ui/button.tsx";
import { Copyable } from "../ui/values/copy-button.tsx";
import { Form, readText, Switch, TextField } from "../ui/forms/form.tsx";
import { fact, Facts, Page, Section } from "../ui/page.tsx";
import { Notice } from "../ui/states.tsx";
import { isAhead, Time } from "../ui/values/time.tsx";
import { settingsQuery, useNotificationChange, useShopChange, type NotificationSetting } from "./shop-queries.ts";
import layout from "../ui/layout.module.css";
import styles from "./settings.module.css";
import { Sentence } from "../ui/sentence.tsx";
import { Described, Prices } from "./prices.tsx";
import { Sandboxes } from "./sandboxes.tsx";
import { Simulations } from "./simulations.tsx";
import { copy } from "./copy.ts";

export function ShopPage() {
  const { id: shopId, plan, trialEndsAt, currency, sandboxOf } = useShop();
  const { data } = useSuspenseQuery(settingsQuery(shopId));
  return (
    <Page title={copy.title} description={copy.description}>
      <div className={`${layout.card} ${styles.card}`}>
        <Facts
          facts={[
            fact(copy.id, <Copyable text={shopId} label={copy.copyId} />),
            fact(copy.plan, planNames[plan]),
            ...(trialEndsAt
              ? [fact(isAhead(trialEndsAt) ? copy.trialEnds : copy.trialEnded, <Time value={trialEndsAt} />)]
              : []),
            fact(copy.currency, currency),
            fact(copy.created, <Time value={data.createdAt} />),
          ]}
        />
      </div>
      <Name key={data.name} shopId={shopId} name={data.name} />
      <Prices shopId={shopId} {...data} />
      <Policies shopId={shopId} {...data} />
      {sandboxOf === null && <Notifications shopId={shopId} settings={data.notifications} />}
      <Sandboxes />
      {sandboxOf !== null && <Simulations shopId={shopId} />}
    </Page>
  );
}

function Name({ shopId, name }: { shopId: string; name: string }) {
  const rename = useShopChange(shopId);
  return (
    <Section title={copy.name.title}>
      <div className={`${layout.card} ${styles.card}`}>
        <Form
          error={rename.error}
          empty={copy.name.empty}
          onSubmit={(values) => !rename.isPending && rename.mutate({ name: readText(values, "name") })}
        >
          <TextField name="name" label={copy.name.label} hint={copy.name.hint} defaultValue={name} />
          <div>
            <Button type="submit" busy={rename.isPending}>
              {copy.save}
            </Button>
          </div>
        </Form>
      </div>
    </Section>
  );
}

interface PoliciesProps {
  shopId: string;
  allowsOverselling: boolean;
  requiresSecondFactor: boolean;
}

function Policies({ shopId, allowsOverselling, requiresSecondFactor }: PoliciesProps) {
  const { hasSecondFactor } = useViewer();
  const change = useShopChange(shopId);
  const isBlocked = !hasSecondFactor && !requiresSecondFactor;
  return (
    <Section title={copy.policies.title}>
      <div className={`${layout.card} ${styles.card}`}>
        {change.error && <Notice tone="bad">{change.error.message}</Notice>}
        <Switch
          label={<Described title={copy.policies.overselling} text={copy.policies.oversellingHint} />}
          checked={allowsOverselling}
          onChange={(checked) => !change.isPending && change.mutate({ allowsOverselling: checked })}
        />
        <Switch
          label={<Described title={copy.policies.secondFactor} text={copy.policies.secondFactorHint} />}
          checked={requiresSecondFactor}
          disabled={isBlocked}
          onChange={(checked) => !change.isPending && change.mutate({ requiresSecondFactor: checked })}
        />
        {isBlocked && (
          <p className={styles.soft}>
            <Sentence
              text={copy.policies.needsOwn}
              parts={{
                link: (
                  <Link to="/$shopId/account" params={{ shopId }}>
                    {copy.policies.setUpOwn}
                  </Link>
                ),
              }}
            />
          </p>
        )}
      </div>
    </Section>
  );
}

/** Switches for the viewer's email notifications about the shop. */
export function Notifications({ shopId, settings }: { shopId: string; settings: readonly NotificationSetting[] }) {
  const change = useNotificationChange(shopId);
  return (
    <Section title={copy.notifications.title}>
      <div className={`${layout.card} ${styles.card}`}>
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
