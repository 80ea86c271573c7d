import { isAhead } from "../ui/values/moments.ts";

/** True when the shop has no plan, or its trial has ended. */
export const hasEndedPlan = ({ plan, trialEndsAt }: { plan: string; trialEndsAt: string | null }) =>
  plan === "NONE" || (plan === "TRIAL" && !isAhead(trialEndsAt));
