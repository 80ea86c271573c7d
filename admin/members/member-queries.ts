import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ResultOf } from "gql.tada";
import { viewerQuery } from "../queries.ts";
import { graphql, request } from "../request.ts";
import { toast } from "../ui/toasts.tsx";

const Members = graphql(`
  query Members($shopId: ID!) {
    shop(id: $shopId) {
      members {
        id
        email
        role
        hasSecondFactor
        createdAt
      }
      invitations {
        id
        email
        role
        invitedByName
        expiresAt
      }
    }
  }
`);

export const Invite = graphql(`
  mutation InviteMember($shopId: ID!, $input: InviteMemberInput!) {
    inviteMember(shopId: $shopId, input: $input) {
      token
      invitation {
        id
        email
      }
    }
  }
`);

export const ChangeRole = graphql(`
  mutation ChangeMemberRole($shopId: ID!, $staffId: ID!, $role: Role!) {
    changeMemberRole(shopId: $shopId, staffId: $staffId, role: $role) {
      id
    }
  }
`);

export const EndMemberSessions = graphql(`
  mutation EndMemberSessions($shopId: ID!, $staffId: ID!) {
    endMemberSessions(shopId: $shopId, staffId: $staffId)
  }
`);

export const RemoveMember = graphql(`
  mutation RemoveMember($shopId: ID!, $staffId: ID!) {
    removeMember(shopId: $shopId, staffId: $staffId)
  }
`);

export const LeaveShop = graphql(`
  mutation LeaveShop($shopId: ID!) {
    leaveShop(shopId: $shopId)
  }
`);

export const RevokeInvitation = graphql(`
  mutation RevokeInvitation($shopId: ID!, $id: ID!) {
    revokeInvitation(shopId: $shopId, id: $id)
  }
`);

type Staff = NonNullable<ResultOf<typeof Members>["shop"]>;
export type Member = Staff["members"][number];
export type Invitation = Staff["invitations"][number];
export type Role = Member["role"];

/** The shop's members and pending invitations. */
export const membersQuery = (shopId: string) =>
  queryOptions({
    queryKey: ["members", shopId],
    queryFn: ({ signal }) => request(Members, { shopId }, { signal }),
    select: ({ shop }) => shop!,
  });

/** Changes the shop's staff and shows a toast. It also reloads the viewer, whom the change may concern. */
export function useMemberChange<Result>(
  shopId: string,
  change: (values: FormData) => Promise<Result>,
  successMessage: (result: Result) => string,
  onClose: () => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (result) => {
      toast(successMessage(result));
      onClose();
      await client.invalidateQueries(viewerQuery);
      await client.invalidateQueries({ queryKey: ["members", shopId] });
    },
  });
}
