import styles from "./tags.module.css";

/** Short words side by side, each with more on it where there is more. */
export function Tags({ tags }: { tags: readonly (readonly [word: string, more?: string])[] }) {
  return (
    <ul className={styles.tags}>
      {tags.map(([word, more]) => (
        <li key={word}>
          {word}
          {more && <span className={styles.more}> {more}</span>}
        </li>
      ))}
    </ul>
  );
}
