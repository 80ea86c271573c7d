import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { ResultOf } from "gql.tada";
import { viewerQuery } from "../queries.ts";
import { graphql, request } from "../request.ts";

const Sessions = graphql(`
  query Sessions {
    viewer {
      sessions {
        id
        isCurrent
        userAgent
        address
        createdAt
        lastSeenAt
      }
    }
  }
`);

export const ChangePassword = graphql(`
  mutation ChangePassword($currentPassword: String!, $newPassword: String!, $code: String) {
    changePassword(currentPassword: $currentPassword, newPassword: $newPassword, code: $code)
  }
`);

export const BeginSecondFactor = graphql(`
  mutation BeginSecondFactor($password: String!) {
    beginSecondFactor(password: $password) {
      uri
      secret
    }
  }
`);

export const ConfirmSecondFactor = graphql(`
  mutation ConfirmSecondFactor($code: String!) {
    confirmSecondFactor(code: $code)
  }
`);

export const RegenerateRecoveryCodes = graphql(`
  mutation RegenerateRecoveryCodes($password: String!, $code: String!) {
    regenerateRecoveryCodes(password: $password, code: $code)
  }
`);

export const DisableSecondFactor = graphql(`
  mutation DisableSecondFactor($password: String!, $code: String!) {
    disableSecondFactor(password: $password, code: $code)
  }
`);

export const EndSession = graphql(`
  mutation EndSession($id: ID!) {
    endSession(id: $id)
  }
`);

export const EndOtherSessions = graphql(`
  mutation EndOtherSessions {
    endOtherSessions
  }
`);

export type Session = NonNullable<ResultOf<typeof Sessions>["viewer"]>["sessions"][number];

/** The viewer's sessions. */
export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => request(Sessions, {}, { signal }),
  select: ({ viewer }) => viewer?.sessions ?? [],
});

/** Reloads the viewer and their sessions. */
export function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all([client.invalidateQueries(viewerQuery), client.invalidateQueries(sessionsQuery)]);
  };
}
