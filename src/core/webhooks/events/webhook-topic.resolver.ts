import { Field, ObjectType, Query, Resolver } from "type-graphql";
import { newId } from "../../model/ids.ts";
import { serializeEvent } from "./record-event.sql.ts";
import { sampleData } from "./sample-data.ts";
import { topicNames, topics, type Topic } from "../../model/webhooks/topics.ts";

@ObjectType({ description: "Something that webhook endpoints can hear of.", simpleResolvers: true })
class WebhookTopic {
  @Field(() => String, { description: "Its name, such as product.created." })
  name!: Topic;

  @Field(() => String, { description: "When it is sent." })
  description!: string;

  @Field(() => String, { description: "A body as it is sent, of a new sample event. Its identifiers match no record." })
  sampleBody!: string;
}

@Resolver()
export class WebhookTopicResolver {
  @Query(() => [WebhookTopic], {
    description: "Every topic that webhook endpoints can subscribe to. Open to everybody.",
  })
  webhookTopics(): WebhookTopic[] {
    return topicNames.map((name) => ({ name, description: topics[name].description, sampleBody: sampleBody(name) }));
  }
}

function sampleBody(topic: Topic): string {
  const data = sampleData(topic, { currency: "EUR" });
  return serializeEvent(newId("evt"), { shopId: newId("shop"), topic, data, createdAt: new Date() });
}
