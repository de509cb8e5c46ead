package dev.rollcall.agent.event;

import dev.rollcall.model.NodeName;
import dev.rollcall.proto.v1.EscapeAttribution;
import dev.rollcall.proto.v1.EscapeOrigin;
import dev.rollcall.proto.v1.EscapePlan;
import dev.rollcall.proto.v1.NodeEscapees;
import dev.rollcall.wire.CallerMapper;

/** Processes in no job as messages. */
public final class OutsideProcessMapper {
  /** So that the answers of 32 nodes stay below a message's limit, at some 150 bytes each. */
  static final int MOST_TOLD = 200;

  private static final int MOST_CGROUP = 80;

  private OutsideProcessMapper() {}

  public static NodeEscapees message(OutsideProcessesFound from, NodeName node) {
    int told = Math.min(MOST_TOLD, from.escapees().size());
    var to =
        NodeEscapees.newBuilder()
            .setNode(node.text())
            .setLeftOut(from.leftOut() + from.escapees().size() - told)
            .setObservedAt(CallerMapper.timestamp(from.at()));
    from.escapees().stream().limit(told).forEach(each -> to.addEscapees(message(each)));
    return to.build();
  }

  private static dev.rollcall.proto.v1.Escapee message(OutsideProcess from) {
    var to =
        dev.rollcall.proto.v1.Escapee.newBuilder()
            .setProcess(CallerMapper.toProto(from.process()))
            .setUid(from.uid())
            .setCommand(printable(from.command()))
            .setStartedAt(CallerMapper.timestamp(from.startedAt()))
            .setCgroup(end(printable(from.cgroup())))
            .setOrigin(
                switch (from.origin()) {
                  case CRON -> EscapeOrigin.ESCAPE_ORIGIN_CRON;
                  case AT -> EscapeOrigin.ESCAPE_ORIGIN_AT;
                  case USER_MANAGER -> EscapeOrigin.ESCAPE_ORIGIN_USER_MANAGER;
                  case SSH -> EscapeOrigin.ESCAPE_ORIGIN_SSH;
                  case LOGIN -> EscapeOrigin.ESCAPE_ORIGIN_LOGIN;
                  case LEFT_OVER -> EscapeOrigin.ESCAPE_ORIGIN_LEFT_OVER;
                  case UNKNOWN -> EscapeOrigin.ESCAPE_ORIGIN_UNSPECIFIED;
                })
            .setPlan(
                switch (from.plan()) {
                  case NOTHING -> EscapePlan.ESCAPE_PLAN_NOTHING;
                  case ADOPT -> EscapePlan.ESCAPE_PLAN_ADOPT;
                  case END -> EscapePlan.ESCAPE_PLAN_END;
                });
    from.session()
        .ifPresent(session -> to.setAdoptionId(session.id()).setSessionUid(session.uid()));
    from.attributed()
        .ifPresent(attributed ->
            to.setJobId(attributed.job().number())
                .setAttribution(
                    switch (attributed.by()) {
                      case LINEAGE -> EscapeAttribution.ESCAPE_ATTRIBUTION_LINEAGE;
                      case SESSION -> EscapeAttribution.ESCAPE_ATTRIBUTION_SESSION;
                      case CALL -> EscapeAttribution.ESCAPE_ATTRIBUTION_CALL;
                    }));
    return to.build();
  }

  /** Names are any bytes that a user chooses. */
  private static String printable(String text) {
    return text.replaceAll("[^\\p{Graph} ]", "?");
  }

  private static String end(String text) {
    return text.length() <= MOST_CGROUP
        ? text
        : "..." + text.substring(text.length() - MOST_CGROUP);
  }
}
