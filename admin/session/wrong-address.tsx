import { buttonClass } from "../ui/button.tsx";
import styles from "./entrance.module.css";
import { Entrance } from "./entrance.tsx";

/** Leads to the same page at the server's public address. Sessions work nowhere else. */
export function WrongAddress({ baseUrl }: { baseUrl: string }) {
  const { origin, pathname, search, hash } = location;
  return (
    <Entrance title={`Open Admin at ${baseUrl}`}>
      <p className={styles.soft}>
        You opened it at {origin}. Admin works at the public address of the server only, which its operator sets as
        BASE_URL.
      </p>
      <a className={`${buttonClass("primary")} ${styles.other}`} href={`${baseUrl}${pathname}${search}${hash}`}>
        Open {baseUrl}
      </a>
    </Entrance>
  );
}
