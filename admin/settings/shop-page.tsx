import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useShop, useViewer } from "../queries.ts";
import { NoPermission } from "../shell/no-permission.tsx";
import { planNames } from "../shell/words.ts";
import { Button } from "../ui/button.tsx";
import { Copyable } from "../ui/values/copy.tsx";
import { Form, Switch, TextField } from "../ui/forms/form.tsx";
import { readText } from "../ui/forms/read-fields.ts";
import { fact, Facts, Page, Section } from "../ui/page.tsx";
import { Notice } from "../ui/states.tsx";
import { Time } from "../ui/values/time.tsx";
import { Notifications } from "./notifications.tsx";
import { settingsQuery, useShopChange } from "./shop-queries.ts";
import styles from "./settings.module.css";

export function ShopPage() {
  return useShop().may("SETTINGS") ? <Settings /> : <NoPermission title="Shop" />;
}

function Settings() {
  const { id: shopId, plan, trialEndsAt, currency } = useShop();
  const { data } = useSuspenseQuery(settingsQuery(shopId));
  return (
    <Page
      title="Shop"
      description="What holds for the whole shop. Its plan and currency are not the staff's to change."
    >
      <div className={styles.card}>
        <Facts
          facts={[
            fact("Identifier", <Copyable text={shopId} label="Copy the identifier" />),
            fact("Plan", planNames[plan]),
            ...(trialEndsAt ? [fact("Trial ends", <Time value={trialEndsAt} />)] : []),
            fact("Currency", currency),
            fact("Created", <Time value={data.createdAt} />),
          ]}
        />
      </div>
      <Name key={data.name} shopId={shopId} name={data.name} />
      <Rules shopId={shopId} {...data} />
      <Notifications shopId={shopId} settings={data.notifications} />
    </Page>
  );
}

function Name({ shopId, name }: { shopId: string; name: string }) {
  const rename = useShopChange(shopId);
  return (
    <Section title="Name">
      <div className={styles.card}>
        <Form
          error={rename.error}
          onSubmit={(values) => !rename.isPending && rename.mutate({ name: readText(values, "name") })}
        >
          <TextField name="name" label="Name" hint="What staff and invitations call the shop." defaultValue={name} />
          <div>
            <Button type="submit" busy={rename.isPending}>
              Save
            </Button>
          </div>
        </Form>
      </div>
    </Section>
  );
}

interface RulesProps {
  shopId: string;
  allowsOverselling: boolean;
  requiresSecondFactor: boolean;
}

function Rules({ shopId, allowsOverselling, requiresSecondFactor }: RulesProps) {
  const { hasSecondFactor } = useViewer();
  const change = useShopChange(shopId);
  const cannot = !hasSecondFactor && !requiresSecondFactor;
  return (
    <Section title="Rules">
      <div className={styles.card}>
        {change.error && <Notice tone="bad">{change.error.message}</Notice>}
        <Switch
          label={<Described title="Sell more than there is" text="A sale may take stock below zero." />}
          checked={allowsOverselling}
          onChange={(checked) => !change.isPending && change.mutate({ allowsOverselling: checked })}
        />
        <Switch
          label={
            <Described
              title="Require a second factor of owners"
              text="Owners without one can do nothing in the shop until they set it up, at once."
            />
          }
          checked={requiresSecondFactor}
          disabled={cannot}
          onChange={(checked) => !change.isPending && change.mutate({ requiresSecondFactor: checked })}
        />
        {cannot && (
          <p className={styles.soft}>
            You have none yourself:{" "}
            <Link to="/$shopId/account" params={{ shopId }}>
              set one up under Account
            </Link>{" "}
            first.
          </p>
        )}
      </div>
    </Section>
  );
}

function Described({ title, text }: { title: string; text: string }) {
  return (
    <>
      {title}
      <span className={styles.soft}>{text}</span>
    </>
  );
}
