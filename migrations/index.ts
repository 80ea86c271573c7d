import { Migration0001Initial } from "./0001-initial.ts";

/** Every migration, oldest first. One that has been released is never changed, only followed. */
export const migrations = [{ name: "0001-initial", class: Migration0001Initial }];
