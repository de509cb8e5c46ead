package dev.rollcall.agent.event;

import dev.rollcall.model.NodeName;
import dev.rollcall.proto.v1.NodeOutsideProcesses;
import dev.rollcall.proto.v1.OutsideAttribution;
import dev.rollcall.proto.v1.OutsideOrigin;
import dev.rollcall.proto.v1.OutsidePlan;
import dev.rollcall.wire.CallerMapper;

/** Maps processes in no job to messages. */
public final class OutsideProcessMapper {
  /** So that the answers of 32 nodes stay below a message's limit, at some 150 bytes each. */
  static final int MOST_TOLD = 200;

  private static final int MOST_CGROUP = 80;

  private OutsideProcessMapper() {}

  public static NodeOutsideProcesses message(OutsideProcessesFound from, NodeName node) {
    int told = Math.min(MOST_TOLD, from.outsideProcesses().size());
    var to =
        NodeOutsideProcesses.newBuilder()
            .setNode(node.text())
            .setLeftOut(from.leftOut() + from.outsideProcesses().size() - told)
            .setObservedAt(CallerMapper.timestamp(from.at()));
    from.outsideProcesses().stream()
        .limit(told)
        .forEach(each -> to.addOutsideProcesses(message(each)));
    return to.build();
  }

  private static dev.rollcall.proto.v1.OutsideProcess message(OutsideProcess from) {
    var to =
        dev.rollcall.proto.v1.OutsideProcess.newBuilder()
            .setProcess(CallerMapper.toProto(from.process()))
            .setUid(from.uid())
            .setCommand(printable(from.command()))
            .setStartedAt(CallerMapper.timestamp(from.startedAt()))
            .setCgroup(end(printable(from.cgroup())))
            .setOrigin(
                switch (from.origin()) {
                  case CRON -> OutsideOrigin.OUTSIDE_ORIGIN_CRON;
                  case AT -> OutsideOrigin.OUTSIDE_ORIGIN_AT;
                  case USER_MANAGER -> OutsideOrigin.OUTSIDE_ORIGIN_USER_MANAGER;
                  case SSH -> OutsideOrigin.OUTSIDE_ORIGIN_SSH;
                  case LOGIN -> OutsideOrigin.OUTSIDE_ORIGIN_LOGIN;
                  case LEFT_OVER -> OutsideOrigin.OUTSIDE_ORIGIN_LEFT_OVER;
                  case UNKNOWN -> OutsideOrigin.OUTSIDE_ORIGIN_UNSPECIFIED;
                })
            .setPlan(
                switch (from.plan()) {
                  case NOTHING -> OutsidePlan.OUTSIDE_PLAN_NOTHING;
                  case ADOPT -> OutsidePlan.OUTSIDE_PLAN_ADOPT;
                  case END -> OutsidePlan.OUTSIDE_PLAN_END;
                });
    from.session()
        .ifPresent(session -> to.setAdoptionId(session.id()).setSessionUid(session.uid()));
    from.attributed()
        .ifPresent(attributed ->
            to.setJobId(attributed.job().number())
                .setAttribution(
                    switch (attributed.by()) {
                      case LINEAGE -> OutsideAttribution.OUTSIDE_ATTRIBUTION_LINEAGE;
                      case SESSION -> OutsideAttribution.OUTSIDE_ATTRIBUTION_SESSION;
                      case CALL -> OutsideAttribution.OUTSIDE_ATTRIBUTION_CALL;
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
