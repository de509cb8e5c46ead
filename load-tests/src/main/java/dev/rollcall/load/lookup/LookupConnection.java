package dev.rollcall.load.lookup;

import dev.rollcall.model.Connection;
import dev.rollcall.wire.grpc.GrpcChannel;
import io.vertx.core.Future;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/** A connection to a gateway on which questions are asked, by one thread. */
interface LookupConnection {
  /** A question before the load, whose answer shows that the gateway is there. */
  long GREETING = 0;

  /**
   * @param answered told the id of every answer, greetings left out
   */
  static LookupConnection of(
      LoadOptions.Kind kind, GrpcChannel channel, LookupTally tally, LongConsumer answered) {
    return switch (kind) {
      case MANY -> new LookupStream(channel, tally, answered);
      case EACH -> new LookupCalls(channel, tally, answered);
    };
  }

  void ask(long id, Connection connection);

  /** Done when the greeting was answered; fails with the connection. */
  CompletableFuture<Void> greeted();

  /** Done when all is over; fails with what was not answered. */
  CompletableFuture<Void> ended();

  /** Nothing more is asked. */
  void finish();

  /** Ends the connection. */
  Future<Void> close();
}
