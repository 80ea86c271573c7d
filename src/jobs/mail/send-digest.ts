import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { sendMails, type AskedMailJob } from "../../core/notifications/mail-jobs.sql.ts";
import { Notice } from "../../core/model/notifications/notice.entity.ts";
import { findRecipients } from "../../core/notifications/recipients.ts";
import { holdNextDigest, type DigestJob } from "../../core/notifications/record-notices.sql.ts";
import { databaseTime } from "../../core/queries/database-time.ts";
import { transactional } from "../../core/queries/transaction.ts";
import { Shop } from "../../core/model/shops/shop.entity.ts";
import type { Membership } from "../../core/model/staff/staff.entity.ts";

/**
 * Creates one mail for each recipient with all notices that are not sent yet, and delays the next digest by an hour.
 * Each mail is sent by its own job.
 */
export async function sendDigest(em: EntityManager, job: DigestJob): Promise<void> {
  await transactional(em, async (transaction) => {
    const { shopId, kind } = job;
    // Staff of a closed shop get the mail when it is reopened, here or elsewhere.
    if ((await transaction.count(Shop, { id: shopId, closedAt: null })) === 0) return;
    const notices = await transaction.find(
      Notice,
      { shopId, kind, mailedAt: null },
      {
        // Locked in the order of recording, to prevent deadlocks.
        orderBy: { targetId: "asc" },
        lockMode: LockMode.PESSIMISTIC_WRITE,
        disableIdentityMap: true,
      },
    );
    if (notices.length === 0) return;
    const read = { shopId, kind, targetId: { $in: notices.map(({ targetId }) => targetId) } };
    await transaction.nativeUpdate(Notice, read, { mailedAt: await databaseTime(transaction) });
    const listed = notices.map(({ targetName, count, details, createdAt }) => {
      return { targetName, count, details, createdAt: createdAt.toISOString() };
    });
    const recipients = await findRecipients(transaction, job);
    const mailFor = ({ staff }: Membership): AskedMailJob => {
      return { mail: "DIGEST", shopId, staffId: staff.id, kind, notices: listed };
    };
    await sendMails(transaction, recipients.map(mailFor));
    await holdNextDigest(transaction, job);
  });
}
