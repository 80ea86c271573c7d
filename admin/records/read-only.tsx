import { roleNames } from "../shell/words.ts";
import { useShop } from "../queries.ts";
import styles from "./records.module.css";

type Permission = Parameters<ReturnType<typeof useShop>["may"]>[0];

/** Says why nothing can be changed here, to those whose role may not. */
export function ReadOnly({ needs, noun }: { needs: Permission; noun: string }) {
  const { may, role } = useShop();
  if (may(needs) || !role) return null;
  return (
    <p className={styles.soft}>
      Your role, {roleNames[role].toLowerCase()}, may not change {noun}. An owner can give you another.
    </p>
  );
}
