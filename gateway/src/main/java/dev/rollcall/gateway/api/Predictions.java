package dev.rollcall.gateway.api;

import dev.rollcall.gateway.route.NodeReply;
import dev.rollcall.gateway.route.Router;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.Owner;
import dev.rollcall.port.Roll.Presence;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.NodeAnswer;
import dev.rollcall.proto.roll.v1.PredictionQuestion;
import dev.rollcall.proto.v1.PredictResponse;
import dev.rollcall.wire.Refusal;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Predicts what a node would decide about a user, by asking that node. */
public record Predictions(Roll roll, Router router) {
  /** A node may have to ask for the user's groups first. */
  private static final Duration PATIENCE = Duration.ofSeconds(4);

  CompletableFuture<PredictResponse> of(NodeName node, int uid) {
    Duration patience = ServiceReplies.patience(PATIENCE);
    return router
        .ask(connected(node), question(uid), patience)
        .thenApply(heard ->
            switch (heard) {
              case NodeReply.Said(NodeAnswer said) ->
                  said.getPrediction().getPrediction().toBuilder().setNode(node.text()).build();
              case NodeReply.Silent(String reason) ->
                  throw Refusal.plain(Status.UNAVAILABLE, reason);
            });
  }

  private static ConnectResponse question(int uid) {
    return ConnectResponse.newBuilder()
        .setPredictionQuestion(PredictionQuestion.newBuilder().setUid(uid))
        .build();
  }

  private Owner.OneNode connected(NodeName name) {
    return switch (roll.presence(name)) {
      case Presence.Connected(Owner.OneNode at) -> at;
      case Presence.Lost() ->
          throw Refusal.plain(Status.FAILED_PRECONDITION, "node " + name + " is not connected");
      case Presence.Unknown() ->
          throw Refusal.plain(Status.NOT_FOUND, "no node " + name + " is known here");
    };
  }
}
