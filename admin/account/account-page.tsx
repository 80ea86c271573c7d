import { useState } from "react";
import { LeaveShopDialog } from "../members/member-dialogs.tsx";
import { useShop, useViewer } from "../queries.ts";
import { roleNames } from "../copy.ts";
import { copy as shellCopy } from "../shell/copy.ts";
import { Badge } from "../ui/values/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Page, Section } from "../ui/page.tsx";
import { Notice } from "../ui/states.tsx";
import layout from "../ui/layout.module.css";
import styles from "./account.module.css";
import {
  ChangePasswordDialog,
  DisableSecondFactorDialog,
  NewRecoveryCodesDialog,
  SetUpSecondFactorDialog,
} from "./account-dialogs.tsx";
import { Sessions } from "./sessions.tsx";
import { copy } from "./copy.ts";

const dialogs = {
  password: ChangePasswordDialog,
  setUp: SetUpSecondFactorDialog,
  codes: NewRecoveryCodesDialog,
  disable: DisableSecondFactorDialog,
  leave: LeaveShopDialog,
};
type Open = (dialog: keyof typeof dialogs) => void;

/** The viewer's own settings, which apply in every shop, and their membership of this one. */
export function AccountPage() {
  const { name } = useViewer();
  const { name: shopName, needsSecondFactor } = useShop();
  const [dialog, setDialog] = useState<keyof typeof dialogs>();
  const Open = dialog && dialogs[dialog];
  return (
    <Page title={copy.title} description={copy.description(name)}>
      {needsSecondFactor && <Notice tone="warning">{copy.secondFactorRequired(shopName)}</Notice>}
      <Section title={copy.password.title}>
        <div className={`${layout.card} ${layout.row} ${styles.card}`}>
          <p>{copy.password.text}</p>
          <Button onClick={() => setDialog("password")}>{copy.password.change}</Button>
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
    <Section title={copy.secondFactor.title}>
      <div className={`${layout.card} ${layout.row} ${styles.card}`}>
        {hasSecondFactor ? (
          <>
            <p>
              <Badge tone="good">{copy.secondFactor.on}</Badge> {copy.secondFactor.onText}
            </p>
            <div className={layout.actions}>
              <Button onClick={() => onOpen("codes")}>{copy.recoveryCodes.replace}</Button>
              <Button variant="danger" onClick={() => onOpen("disable")}>
                {copy.secondFactor.turnOff}
              </Button>
            </div>
          </>
        ) : (
          <>
            <p>
              <Badge>{copy.secondFactor.off}</Badge> {copy.secondFactor.offText}
            </p>
            <Button variant="primary" onClick={() => onOpen("setUp")}>
              {copy.secondFactor.setUp}
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
    <Section title={copy.membership.title}>
      <div className={`${layout.card} ${layout.row} ${styles.card}`}>
        <p>{copy.membership.text(name, role ? roleNames[role] : shellCopy.noAccess.noRole)}</p>
        <Button variant="danger" onClick={() => onOpen("leave")}>
          {copy.membership.leave}
        </Button>
      </div>
    </Section>
  );
}
