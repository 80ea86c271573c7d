import styles from "./tags.module.css";

/** A list of tags, each with an optional detail. */
export function Tags({ tags }: { tags: readonly (readonly [label: string, detail?: string])[] }) {
  return (
    <ul className={styles.tags}>
      {tags.map(([label, detail], index) => (
        <li key={index}>
          {label}
          {detail && <span className={styles.detail}> {detail}</span>}
        </li>
      ))}
    </ul>
  );
}
