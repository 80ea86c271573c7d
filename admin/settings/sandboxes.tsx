import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useShop, useViewer, viewerQuery, type Shop } from "../queries.ts";
import { request } from "../request.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import { Choice, optionsOf } from "../ui/forms/select.tsx";
import { Section } from "../ui/page.tsx";
import { CreateSandbox, ResetSandbox } from "./shop-queries.ts";
import layout from "../ui/layout.module.css";
import styles from "./settings.module.css";
import { copy } from "./copy.ts";

/** The sandboxes of the shop. The settings of a sandbox show itself. */
export function Sandboxes() {
  const { id: shopId, sandboxOf } = useShop();
  const [changed, change] = useState<{ sandbox?: Shop }>();
  const shops = useViewer().memberships.map(({ shop }) => shop);
  const shown = shops.filter((shop) => (sandboxOf === null ? shop.sandboxOf : shop.id) === shopId);
  return (
    <Section title={copy.sandboxes.title}>
      <div className={`${layout.card} ${styles.card}`}>
        {sandboxOf === null && <p className={styles.soft}>{copy.sandboxes.hint}</p>}
        {shown.map((shop) => (
          <div key={shop.id} className={layout.row}>
            <div>
              <strong>{shop.name}</strong>
              <span className={styles.soft}>{describe(shop)}</span>
            </div>
            {shop.id !== shopId && shop.sandboxState !== "FILLING" && (
              <Link to="/$shopId" params={{ shopId: shop.id }} className={buttonClass("plain")}>
                {copy.sandboxes.open}
              </Link>
            )}
            {shop.sandboxState !== "FILLING" && (
              <Button onClick={() => change({ sandbox: shop })}>{copy.sandboxes.reset.action}</Button>
            )}
          </div>
        ))}
        {sandboxOf === null && shown.length < 2 && (
          <div>
            <Button onClick={() => change({})}>{copy.sandboxes.create.action}</Button>
          </div>
        )}
      </div>
      {changed && <SandboxDialog {...changed} onClose={() => change(undefined)} />}
    </Section>
  );
}

const describe = ({ sandboxState, sandboxContent }: Shop) =>
  sandboxState === "READY" ? copy.sandboxes.contents[sandboxContent!] : copy.sandboxes.states[sandboxState!];

/** Resets a sandbox, or creates one. */
function SandboxDialog({ sandbox, onClose }: { sandbox?: Shop; onClose: () => void }) {
  const { id: shopId } = useShop();
  const client = useQueryClient();
  const [content, choose] = useState(sandbox?.sandboxContent ?? "PRODUCTS");
  const text = sandbox ? copy.sandboxes.reset : copy.sandboxes.create;
  const mutation = useMutation({
    mutationFn: (): Promise<unknown> =>
      sandbox ? request(ResetSandbox, { shopId: sandbox.id, content }) : request(CreateSandbox, { shopId, content }),
    onSuccess: () => client.invalidateQueries(viewerQuery).then(onClose),
  });
  return (
    <FormDialog
      title={text.title}
      description={text.text}
      label={text.action}
      isDanger={sandbox !== undefined}
      mutation={{ ...mutation, mutate: () => mutation.mutate() }}
      onClose={onClose}
    >
      <Choice
        name="content"
        label={copy.sandboxes.content}
        value={content}
        options={optionsOf(copy.sandboxes.contents)}
        onChange={choose}
      />
    </FormDialog>
  );
}
