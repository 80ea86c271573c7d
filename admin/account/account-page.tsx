import { useState } from "react";
import { LeaveShopDialog } from "../members/leave-shop.tsx";
import { useShop, useViewer } from "../queries.ts";
import { roleNames } from "../shell/words.ts";
import { Badge } from "../ui/values/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Page, Section } from "../ui/page.tsx";
import { Notice } from "../ui/states.tsx";
import styles from "./account.module.css";
import { ChangePasswordDialog } from "./change-password.tsx";
import { DisableSecondFactorDialog, NewRecoveryCodesDialog } from "./recovery-codes.tsx";
import { Sessions } from "./sessions.tsx";
import { SetUpSecondFactorDialog } from "./set-up-second-factor.tsx";

const dialogs = {
  password: ChangePasswordDialog,
  setUp: SetUpSecondFactorDialog,
  codes: NewRecoveryCodesDialog,
  disable: DisableSecondFactorDialog,
  leave: LeaveShopDialog,
};
type Open = (dialog: keyof typeof dialogs) => void;

/** The viewer's own settings, the same in every shop, and their way out of this one. */
export function AccountPage() {
  const { name } = useViewer();
  const { name: shopName, needsSecondFactor } = useShop();
  const [dialog, setDialog] = useState<keyof typeof dialogs>();
  const Open = dialog && dialogs[dialog];
  return (
    <Page title="Account" description={`You are logged in as ${name}. This account is the same in every shop.`}>
      {needsSecondFactor && (
        <Notice tone="warning">
          {shopName} requires a second factor: until you set one up you can do nothing in it.
        </Notice>
      )}
      <Section title="Password">
        <div className={styles.card}>
          <p>At least 12 characters, for this service alone.</p>
          <Button onClick={() => setDialog("password")}>Change password</Button>
        </div>
      </Section>
      <SecondFactor onOpen={setDialog} />
      <Sessions />
      <Membership onOpen={setDialog} />
      {Open && <Open onClose={() => setDialog(undefined)} />}
    </Page>
  );
}

function SecondFactor({ onOpen }: { onOpen: Open }) {
  const { hasSecondFactor } = useViewer();
  return (
    <Section title="Second factor">
      <div className={styles.card}>
        {hasSecondFactor ? (
          <>
            <p>
              <Badge tone="good">On</Badge> Logging in takes a code of your authenticator app beside the password.
            </p>
            <div className={styles.actions}>
              <Button onClick={() => onOpen("codes")}>New recovery codes</Button>
              <Button look="danger" onClick={() => onOpen("disable")}>
                Turn off
              </Button>
            </div>
          </>
        ) : (
          <>
            <p>
              <Badge>Off</Badge> With one, nobody can log in who knows your password alone.
            </p>
            <Button look="primary" onClick={() => onOpen("setUp")}>
              Set up
            </Button>
          </>
        )}
      </div>
    </Section>
  );
}

function Membership({ onOpen }: { onOpen: Open }) {
  const { name, role } = useShop();
  return (
    <Section title="Membership">
      <div className={styles.card}>
        <p>
          You work for {name}. Your role: {role && roleNames[role]}.
        </p>
        <Button look="danger" onClick={() => onOpen("leave")}>
          Leave the shop
        </Button>
      </div>
    </Section>
  );
}
