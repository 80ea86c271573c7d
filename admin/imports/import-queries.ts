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
        leftCount
        refusedCount
        doneCount
        secondsLeft
        startedAt
        endedAt
        createdByName
        format {
          source
          columns
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
        preview {
          firstRow
          product {
            handle
            title
            status
            variants {
              optionValues
              price
              inventoryQuantity
            }
          }
          customer {
            email
            firstName
            lastName
            phone
          }
          problems {
            row
          }
        }
      }
    }
  }
`);

const Problems = graphql(`
  query Problems($shopId: ID!, $id: ID!, $page: Int!, $limit: Int!) {
    shop(id: $shopId) {
      import(id: $id) {
        problems(page: $page, limit: $limit) {
          total
          items {
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
  mutation StartImport($shopId: ID!, $id: ID!, $input: StartImportInput!, $idempotencyKey: String) {
    startImport(shopId: $shopId, id: $id, input: $input, idempotencyKey: $idempotencyKey) {
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
export type Import = NonNullable<NonNullable<ResultOf<typeof Import>["shop"]>["import"]>;
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
    queryFn: async ({ signal }) =>
      found((await request(Import, { shopId, id }, { signal, isPoll: true })).shop?.import, copy.notFound),
    refetchInterval: ({ state: { data } }) =>
      data?.state === "CHECKING" || data?.state === "RUNNING" ? every(INTERVAL)() : false,
  });

const PROBLEMS_PER_PAGE = 20;

/** Reads a page of problems. The cursor is the number of the page. */
export async function listProblems(
  { shopId, id, after }: ImportKey & { after: string | null },
  options: RequestOptions,
) {
  const page = Number(after ?? 1);
  const { shop } = await request(Problems, { shopId, id, page, limit: PROBLEMS_PER_PAGE }, options);
  const { items, total } = found(shop?.import, copy.notFound).problems;
  return {
    items: items.map((item, index) => ({ ...item, id: `${page} ${index}` })),
    total,
    nextCursor: page * PROBLEMS_PER_PAGE < total ? String(page + 1) : null,
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
  await request(CheckImport, { shopId, id, input: {} });
  return id;
}
