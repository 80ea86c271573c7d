import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ResultOf, TadaDocumentNode, VariablesOf } from "gql.tada";
import { every, useShop } from "../queries.ts";
import { found, graphql, request, send, type RequestOptions } from "../request.ts";
import { copy } from "./copy.ts";

const Imports = graphql(`
  query Imports($shopId: ID!, $after: String, $kind: ImportKind!) {
    shop(id: $shopId) {
      imports(after: $after, limit: 20, kind: $kind) {
        nextCursor
        total
        items {
          id
          fileName
          state
          createdAt
          createdByName
        }
      }
    }
  }
`);

const Import = graphql(`
  query Import($shopId: ID!, $id: ID!) {
    shop(id: $shopId) {
      defaultTaxRate
      pricesIncludeTax
      import(id: $id) {
        id
        kind
        state
        fileName
        failure
        itemCount
        faultyCount
        problemCount
        createdCount
        updatedCount
        unchangedCount
        refusedCount
        doneCount
        secondsLeft
        startedAt
        endedAt
        createdByName
        format {
          source
          encoding
          encodings {
            name
            samples
          }
          columns
          unreadColumns
          emptyCells
          notes {
            message
            count
            row
          }
          mapping {
            field
            column
          }
          decimalMark
          questions
        }
        refusals {
          row
          message
        }
        preview: items {
          firstRow
          name
          status
          variantTitles
          prices
          inventoryQuantity
          email
          phone
          problems {
            row
          }
        }
      }
    }
  }
`);

const Problems = graphql(`
  query Problems($shopId: ID!, $id: ID!, $after: Int!, $limit: Int!) {
    shop(id: $shopId) {
      import(id: $id) {
        problemCount
        items(areFaulty: true, after: $after, limit: $limit) {
          number
          problems {
            row
            column
            value
            message
            remedy
          }
        }
      }
    }
  }
`);

const CreateImport = graphql(`
  mutation CreateImport($shopId: ID!, $input: CreateImportInput!) {
    createImport(shopId: $shopId, input: $input) {
      id
    }
  }
`);

export const CheckImport = graphql(`
  mutation CheckImport($shopId: ID!, $id: ID!, $input: CheckImportInput!) {
    checkImport(shopId: $shopId, id: $id, input: $input) {
      id
    }
  }
`);

export const StartImport = graphql(`
  mutation StartImport($shopId: ID!, $id: ID!, $input: StartImportInput!) {
    startImport(shopId: $shopId, id: $id, input: $input) {
      id
    }
  }
`);

export const CancelImport = graphql(`
  mutation CancelImport($shopId: ID!, $id: ID!) {
    cancelImport(shopId: $shopId, id: $id) {
      id
    }
  }
`);

export type ImportRow = NonNullable<ResultOf<typeof Imports>["shop"]>["imports"]["items"][number];
type ShopWithImport = NonNullable<ResultOf<typeof Import>["shop"]>;
/** An import, and what its shop has said about tax. */
export type Import = NonNullable<ShopWithImport["import"]> & Omit<ShopWithImport, "import">;
export type Format = NonNullable<Import["format"]>;
export type Kind = Import["kind"];
export type PreviewItem = Import["preview"][number];
export type StartInput = VariablesOf<typeof StartImport>["input"];

export const listImports = async (variables: VariablesOf<typeof Imports>, options: RequestOptions) =>
  (await request(Imports, variables, options)).shop!.imports;

/** Milliseconds between polls while the server works. */
const INTERVAL = 1_000;

export const importQuery = (shopId: string, id: string) =>
  queryOptions({
    queryKey: ["records", shopId, "import", id],
    queryFn: async ({ signal }): Promise<Import> => {
      const { shop } = await request(Import, { shopId, id }, { signal, isPoll: true });
      const { import: shown, ...tax } = found(shop, copy.notFound);
      return { ...found(shown, copy.notFound), ...tax };
    },
    refetchInterval: ({ state: { data } }) =>
      data?.state === "CHECKING" || data?.state === "RUNNING" ? every(INTERVAL)() : false,
  });

/** Records whose problems are read at a time. */
const LIMIT = 20;

/** Reads the problems of the next records after a number. */
export async function listProblems(
  { shopId, id, after }: ImportKey & { after: string | null },
  options: RequestOptions,
) {
  const { shop } = await request(Problems, { shopId, id, after: Number(after), limit: LIMIT }, options);
  const { items, problemCount } = found(shop?.import, copy.notFound);
  return {
    items: items.flatMap(({ number, problems }) =>
      problems.map((problem, index) => ({ ...problem, id: `${number} ${index}` })),
    ),
    total: problemCount,
    nextCursor: items.length < LIMIT ? null : String(items.at(-1)!.number),
  };
}

/** A mutation of an import, after which the shop's pages reload. */
export function useChange<Variables extends ImportKey>(
  document: TadaDocumentNode<unknown, Variables>,
  { id }: Pick<Import, "id">,
) {
  const { id: shopId } = useShop();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Omit<Variables, keyof ImportKey>) => request(document, { shopId, id, ...input } as Variables),
    onSettled: () => client.invalidateQueries({ queryKey: ["records", shopId] }),
  });
}

interface ImportKey {
  shopId: string;
  id: string;
}

const CHUNK_SIZE = 256 * 1024;
/** Pieces that are sent at a time. */
const AT_ONCE = 3;

/** Uploads a file and has it checked. Returns the id of its import. */
export async function uploadFile(
  { shopId, kind, file }: { shopId: string; kind: Kind; file: File },
  onProgress: (part: number) => void,
): Promise<string> {
  const input = { kind, fileName: file.name, fileSize: file.size };
  const { id } = (await request(CreateImport, { shopId, input })).createImport;
  const count = Math.ceil(file.size / CHUNK_SIZE);
  const numbers = Array.from({ length: count }, (_, number) => number).values();
  let sent = 0;
  const sendPieces = async () => {
    for (const number of numbers) {
      const body = file.slice(number * CHUNK_SIZE, (number + 1) * CHUNK_SIZE);
      await send(`/imports/${shopId}/${id}/${number}`, { method: "PUT", body });
      sent += 1;
      onProgress(sent / count);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendPieces));
  await request(CheckImport, { shopId, id, input: { language: navigator.language } });
  return id;
}
