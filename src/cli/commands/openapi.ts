import { readConfig } from "../../config.ts";
import { describeApi } from "../../rest/openapi.ts";
import { routes } from "../../rest/router.ts";

export function printOpenapi(): void {
  console.log(JSON.stringify(describeApi(routes, readConfig(process.env, "nothing").baseUrl), null, 2));
}
