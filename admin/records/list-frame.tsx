import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/states.tsx";
import styles from "./records.module.css";
import { copy } from "./copy.ts";

interface ListFrameProps {
  /** The query behind the rows. */
  list: {
    error: Error | null;
    isPlaceholderData: boolean;
    isFetchNextPageError: boolean;
    isFetchingNextPage: boolean;
    hasNextPage: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
  /** The number of rows shown, such as "50 of 120". */
  count: string;
  children: ReactNode;
}

/** The frame of a paginated list, with the number of rows and a button to load more. */
export function ListFrame({ list, count, children }: ListFrameProps) {
  return (
    <div className={styles.list} aria-busy={list.isPlaceholderData}>
      {children}
      {list.isFetchNextPageError && <Notice tone="bad">{list.error!.message}</Notice>}
      <div className={styles.more}>
        <span>{count}</span>
        {list.hasNextPage && (
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {copy.loadMore}
          </Button>
        )}
      </div>
    </div>
  );
}
