import { buttonClass } from "../ui/button.tsx";
import styles from "./entrance.module.css";
import { Entrance } from "./entrance.tsx";
import { copy } from "./copy.ts";

/** Links to the same page at the server's public address, the only one where sessions work. */
export function WrongAddress({ baseUrl }: { baseUrl: string }) {
  const { origin, pathname, search, hash } = location;
  return (
    <Entrance title={copy.wrongAddress.title(baseUrl)}>
      <p className={styles.soft}>{copy.wrongAddress.text(origin)}</p>
      <a className={`${buttonClass("primary")} ${styles.other}`} href={`${baseUrl}${pathname}${search}${hash}`}>
        {copy.wrongAddress.open(baseUrl)}
      </a>
    </Entrance>
  );
}
