import { glob, readFile } from "node:fs/promises";
import { Kind, parse, type DocumentNode, type OperationDefinitionNode } from "graphql";

/** A document of Admin's pages, with the fragments that it uses. */
export interface AdminDocument {
  file: string;
  text: string;
  document: DocumentNode;
  operation: OperationDefinitionNode;
}

/** Reads the documents of Admin's pages. */
export async function readAdminDocuments(): Promise<AdminDocument[]> {
  const found: AdminDocument[] = [];
  for await (const file of glob("admin/**/*.{ts,tsx}")) {
    const source = await readFile(file, "utf8");
    const texts = [...source.matchAll(/graphql\(\s*`([^`]+)`/g)].map(([, text]) => text!.replace(" @_unmask", ""));
    const fragments = texts.filter((each) => /^\s*fragment/.test(each));
    for (const each of texts.filter((other) => !fragments.includes(other))) {
      const used = fragments.filter((fragment) => each.includes(`...${/fragment (\w+)/.exec(fragment)![1]}`));
      const text = [each, ...used].join("");
      const document = parse(text);
      const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
      found.push({ file, text, document, operation: operation as OperationDefinitionNode });
    }
  }
  return found;
}
