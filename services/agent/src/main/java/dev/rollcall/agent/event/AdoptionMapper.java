package dev.rollcall.agent.event;

import dev.rollcall.model.Decision;
import dev.rollcall.model.JobId;
import dev.rollcall.model.NodeName;
import dev.rollcall.proto.v1.Outcome;
import dev.rollcall.proto.v1.PredictResponse;
import dev.rollcall.wire.CallerMapper;

/** Maps adoptions to messages. They are this node's own: no other module maps them. */
public final class AdoptionMapper {
  private static final int MOST_DOUBT = 1_000;

  private AdoptionMapper() {}

  public static dev.rollcall.proto.v1.Adoption message(Adoption from, NodeName node) {
    var to =
        dev.rollcall.proto.v1.Adoption.newBuilder()
            .setAdoptionId(from.id())
            .setNode(node.text())
            .setUid(from.uid())
            .setUser(cut(from.user()))
            .setService(from.service())
            .setOutcome(
                switch (from.outcome()) {
                  case ADOPTED -> Outcome.OUTCOME_ADOPTED;
                  case ALLOWED -> Outcome.OUTCOME_ALLOWED;
                  case DENIED -> Outcome.OUTCOME_DENIED;
                  case STEPPED_ASIDE -> Outcome.OUTCOME_STEPPED_ASIDE;
                  case FAILED -> Outcome.OUTCOME_FAILED;
                })
            .setReason(from.reason().word())
            .setDoubt(cut(from.doubt()))
            .setDecidedAt(CallerMapper.timestamp(from.decidedAt()))
            .setTook(CallerMapper.duration(from.took()));
    from.would()
        .ifPresent(_ ->
            to.setWould(
                from.wouldJob().isPresent() ? Outcome.OUTCOME_ADOPTED : Outcome.OUTCOME_DENIED));
    from.wouldJob().ifPresent(job -> to.setWouldJobId(job.number()));
    from.job().ifPresent(step -> to.setJob(CallerMapper.toProto(step)));
    from.connection().ifPresent(connection -> to.setConnection(CallerMapper.toProto(connection)));
    return to.build();
  }

  public static PredictResponse message(Prediction from, NodeName node) {
    var to =
        PredictResponse.newBuilder()
            .setNode(node.text())
            .setReason(from.decision().reason().word())
            .setDoubt(from.doubt())
            .setOptionsSeen(from.optionsSeen())
            .setOnlyWatched(from.onlyWatched().orElse(""));
    from.callersJobs().forEach(job -> to.addCallersJobs(job.number()));
    switch (from.decision()) {
      case Decision.Adopt(JobId into, _) ->
          to.setOutcome(Outcome.OUTCOME_ADOPTED).setJobId(into.number());
      case Decision.Allow _ -> to.setOutcome(Outcome.OUTCOME_ALLOWED);
      case Decision.Deny(_, String message) ->
          to.setOutcome(Outcome.OUTCOME_DENIED).setMessage(message);
      case Decision.StepAside _ -> to.setOutcome(Outcome.OUTCOME_STEPPED_ASIDE);
      case Decision.Unenforced _, Decision.Wait _, Decision.AskCaller _, Decision.Offer _ ->
          throw new IllegalArgumentException(from.decision() + " is not a prediction");
    }
    return to.build();
  }

  /** Cuts text of other programs, which may be long: a gateway accepts 4 KiB. */
  private static String cut(String text) {
    return text.length() <= MOST_DOUBT ? text : text.substring(0, MOST_DOUBT) + "...";
  }
}
