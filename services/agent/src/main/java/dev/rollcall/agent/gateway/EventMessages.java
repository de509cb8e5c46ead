package dev.rollcall.agent.gateway;

import dev.rollcall.agent.event.RollQuestion;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.ProcessAnswer;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.Roll;
import dev.rollcall.proto.roll.v1.Answer;
import dev.rollcall.proto.roll.v1.CallsLost;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.Heartbeat;
import dev.rollcall.proto.roll.v1.JobGone;
import dev.rollcall.proto.roll.v1.JobOnNode;
import dev.rollcall.proto.roll.v1.JobsQuestion;
import dev.rollcall.proto.roll.v1.MembershipAnswer;
import dev.rollcall.proto.roll.v1.OutsideProcessesAnswer;
import dev.rollcall.proto.roll.v1.PredictionAnswer;
import dev.rollcall.proto.roll.v1.ProcessesAnswer;
import dev.rollcall.proto.roll.v1.Question;
import dev.rollcall.proto.roll.v1.StateComplete;
import dev.rollcall.proto.roll.v1.UsageAnswer;
import dev.rollcall.proto.roll.v1.UsageQuestion;
import dev.rollcall.proto.v1.NodeOutsideProcesses;
import dev.rollcall.proto.v1.PredictResponse;
import dev.rollcall.proto.v1.UsagePoint;
import dev.rollcall.proto.v1.UsageRecord;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.JobMapper;
import dev.rollcall.wire.NodeMapper;
import dev.rollcall.wire.ProcessMapper;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Makes the messages with which this node reports to its gateway. */
final class EventMessages {
  /** So that the answer stays below a message's limit: about 40 bytes each. */
  private static final int MOST_PROCESSES_IN_AN_ANSWER = 20_000;

  private static final int MOST_RECORDS_IN_AN_ANSWER = 200;

  static final int MOST_PROCESSES_IN_A_CHANGE = 4_000;

  static final ConnectRequest HEARTBEAT =
      ConnectRequest.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()).build();
  static final ConnectRequest STATE_COMPLETE =
      ConnectRequest.newBuilder().setStateComplete(StateComplete.getDefaultInstance()).build();

  private EventMessages() {}

  static ConnectRequest hello(NodeSelf self, Set<InetAddress> addresses) {
    var description =
        new Roll.NodeDescription(self.epoch(), addresses, "", self.version(), self.callSource());
    return ConnectRequest.newBuilder()
        .setHello(NodeMapper.hello(self.cluster(), description))
        .build();
  }

  static List<ConnectRequest> whole(
      NodeSelf self, Job job, List<JobProcess> processes, Instant observedAt) {
    return JobMapper.told(
            job, self.epoch().node(), self.userName().apply(job.uid()), processes, observedAt)
        .stream()
        .map(message -> ConnectRequest.newBuilder().setJob(message).build())
        .toList();
  }

  static ConnectRequest delta(
      NodeSelf self,
      Job job,
      List<JobProcess> came,
      Collection<ProcessRef> gone,
      Instant observedAt) {
    var message =
        JobOnNode.newBuilder()
            .setJob(
                JobMapper.toProto(
                    job, self.epoch().node(), self.userName().apply(job.uid()), false))
            .setObservedAt(CallerMapper.timestamp(observedAt));
    came.forEach(process -> message.addProcesses(JobMapper.member(process)));
    gone.forEach(process -> message.addGone(CallerMapper.toProto(process)));
    return ConnectRequest.newBuilder().setJob(message).build();
  }

  static ConnectRequest gone(JobId job) {
    return ConnectRequest.newBuilder()
        .setJobGone(JobGone.newBuilder().setJobId(job.number()))
        .build();
  }

  static ConnectRequest question(long id, RollQuestion question) {
    return ConnectRequest.newBuilder()
        .setQuestion(
            Question.newBuilder()
                .setQuestionId(id)
                .setConnection(CallerMapper.toProto(question.connection()))
                .setPatience(CallerMapper.duration(question.patience()))
                .setMostAge(CallerMapper.duration(question.mostAge())))
        .build();
  }

  static ConnectRequest answer(long id, CallerAnswer answer) {
    return ConnectRequest.newBuilder()
        .setAnswer(Answer.newBuilder().setQuestionId(id).setAnswer(CallerMapper.toProto(answer)))
        .build();
  }

  static ConnectRequest processes(long id, List<JobProcess> processes, Instant observedAt) {
    var answer =
        ProcessesAnswer.newBuilder()
            .setQuestionId(id)
            .setObservedAt(CallerMapper.timestamp(observedAt));
    processes.stream()
        .limit(MOST_PROCESSES_IN_AN_ANSWER)
        .forEach(process -> answer.addProcesses(JobMapper.listedOnNode(process)));
    return ConnectRequest.newBuilder().setProcessesAnswer(answer).build();
  }

  /**
   * @param records the job's own is the first
   */
  static ConnectRequest usage(
      UsageQuestion to, List<UsageRecord> records, List<UsagePoint> lastHour) {
    var answer = UsageAnswer.newBuilder().setQuestionId(to.getQuestionId());
    records.stream()
        .limit(to.getJobOnly() ? 1 : MOST_RECORDS_IN_AN_ANSWER)
        .forEach(answer::addRecords);
    answer.getRecordsBuilderList().stream().limit(1).forEach(job -> job.addAllLastHour(lastHour));
    return ConnectRequest.newBuilder().setUsageAnswer(answer).build();
  }

  static ConnectRequest outsideProcesses(long id, NodeOutsideProcesses outsideProcesses) {
    return ConnectRequest.newBuilder()
        .setOutsideProcessesAnswer(
            OutsideProcessesAnswer.newBuilder()
                .setQuestionId(id)
                .setOutsideProcesses(outsideProcesses))
        .build();
  }

  static ConnectRequest prediction(long id, PredictResponse prediction) {
    return ConnectRequest.newBuilder()
        .setPredictionAnswer(
            PredictionAnswer.newBuilder().setQuestionId(id).setPrediction(prediction))
        .build();
  }

  static ConnectRequest membership(long id, List<ProcessAnswer> answers, Instant now) {
    var answer = MembershipAnswer.newBuilder().setQuestionId(id);
    answers.forEach(one -> answer.addAnswers(ProcessMapper.toProto(one, now)));
    return ConnectRequest.newBuilder().setMembershipAnswer(answer).build();
  }

  static ConnectRequest jobsQuestion(List<JobId> jobs) {
    var question = JobsQuestion.newBuilder();
    jobs.forEach(job -> question.addJobIds(job.number()));
    return ConnectRequest.newBuilder().setJobsQuestion(question).build();
  }

  static ConnectRequest callsLost(NodeSelf self, long lost) {
    return ConnectRequest.newBuilder()
        .setCallsLost(CallsLost.newBuilder().setNode(self.epoch().node().text()).setLost(lost))
        .build();
  }
}
