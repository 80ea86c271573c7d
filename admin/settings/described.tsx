import styles from "./settings.module.css";

/** The label of a setting, with its explanation. */
export function Described({ title, text }: { title: string; text: string }) {
  return (
    <>
      {title}
      <span className={styles.soft}>{text}</span>
    </>
  );
}
