import { queryOptions } from "@tanstack/react-query";
import type { ResultOf } from "gql.tada";
import { graphql, request } from "../request.ts";

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
    queryKey: ["records", shopId, "members"],
    queryFn: ({ signal }) => request(Members, { shopId }, { signal }),
    select: ({ shop }) => shop!,
  });
