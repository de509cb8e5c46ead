package dev.rollcall.agent.gateway;

import dev.rollcall.agent.event.RollQuestion;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.Roll;
import dev.rollcall.proto.roll.v1.Answer;
import dev.rollcall.proto.roll.v1.AttendRequest;
import dev.rollcall.proto.roll.v1.CallsLost;
import dev.rollcall.proto.roll.v1.EscapeesAnswer;
import dev.rollcall.proto.roll.v1.Heartbeat;
import dev.rollcall.proto.roll.v1.JobGone;
import dev.rollcall.proto.roll.v1.JobOnNode;
import dev.rollcall.proto.roll.v1.JobsQuestion;
import dev.rollcall.proto.roll.v1.PredictionAnswer;
import dev.rollcall.proto.roll.v1.ProcessesAnswer;
import dev.rollcall.proto.roll.v1.Question;
import dev.rollcall.proto.roll.v1.StateComplete;
import dev.rollcall.proto.v1.NodeEscapees;
import dev.rollcall.proto.v1.PredictResponse;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.JobMapper;
import dev.rollcall.wire.NodeMapper;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** What this node tells, as messages. */
final class EventMessages {
  /** So that the answer stays below a message's limit: about 40 bytes each. */
  private static final int MOST_PROCESSES_IN_AN_ANSWER = 20_000;

  static final int MOST_PROCESSES_IN_A_CHANGE = 4_000;

  static final AttendRequest HEARTBEAT =
      AttendRequest.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()).build();
  static final AttendRequest STATE_COMPLETE =
      AttendRequest.newBuilder().setStateComplete(StateComplete.getDefaultInstance()).build();

  private EventMessages() {}

  static AttendRequest hello(NodeSelf attendee) {
    var attendance =
        new Roll.Attendance(
            attendee.epoch(),
            attendee.addresses().get(),
            "",
            attendee.version(),
            attendee.callSource());
    return AttendRequest.newBuilder()
        .setHello(NodeMapper.hello(attendee.cluster(), attendance))
        .build();
  }

  static List<AttendRequest> whole(
      NodeSelf attendee, Job job, List<JobProcess> processes, Instant observedAt) {
    return JobMapper.told(
            job,
            attendee.epoch().node(),
            attendee.userName().apply(job.uid()),
            processes,
            observedAt)
        .stream()
        .map(message -> AttendRequest.newBuilder().setJob(message).build())
        .toList();
  }

  static AttendRequest delta(
      NodeSelf attendee,
      Job job,
      List<JobProcess> came,
      Collection<ProcessRef> gone,
      Instant observedAt) {
    var message =
        JobOnNode.newBuilder()
            .setJob(
                JobMapper.toProto(
                    job, attendee.epoch().node(), attendee.userName().apply(job.uid()), false))
            .setObservedAt(CallerMapper.timestamp(observedAt));
    came.forEach(process -> message.addProcesses(JobMapper.member(process)));
    gone.forEach(process -> message.addGone(CallerMapper.toProto(process)));
    return AttendRequest.newBuilder().setJob(message).build();
  }

  static AttendRequest gone(JobId job) {
    return AttendRequest.newBuilder()
        .setJobGone(JobGone.newBuilder().setJobId(job.number()))
        .build();
  }

  static AttendRequest question(long id, RollQuestion question) {
    return AttendRequest.newBuilder()
        .setQuestion(
            Question.newBuilder()
                .setQuestionId(id)
                .setConnection(CallerMapper.toProto(question.connection()))
                .setPatience(CallerMapper.duration(question.patience()))
                .setTraceparent(question.span().traceparent()))
        .build();
  }

  static AttendRequest answer(long id, CallerAnswer answer) {
    return AttendRequest.newBuilder()
        .setAnswer(Answer.newBuilder().setQuestionId(id).setAnswer(CallerMapper.toProto(answer)))
        .build();
  }

  static AttendRequest processes(long id, List<JobProcess> processes, Instant observedAt) {
    var answer =
        ProcessesAnswer.newBuilder()
            .setQuestionId(id)
            .setObservedAt(CallerMapper.timestamp(observedAt));
    processes.stream()
        .limit(MOST_PROCESSES_IN_AN_ANSWER)
        .forEach(process -> answer.addProcesses(JobMapper.listedOnNode(process)));
    return AttendRequest.newBuilder().setProcessesAnswer(answer).build();
  }

  static AttendRequest escapees(long id, NodeEscapees escapees) {
    return AttendRequest.newBuilder()
        .setEscapeesAnswer(EscapeesAnswer.newBuilder().setQuestionId(id).setEscapees(escapees))
        .build();
  }

  static AttendRequest prediction(long id, PredictResponse prediction) {
    return AttendRequest.newBuilder()
        .setPredictionAnswer(
            PredictionAnswer.newBuilder().setQuestionId(id).setPrediction(prediction))
        .build();
  }

  static AttendRequest jobsQuestion(List<JobId> jobs) {
    var question = JobsQuestion.newBuilder();
    jobs.forEach(job -> question.addJobIds(job.number()));
    return AttendRequest.newBuilder().setJobsQuestion(question).build();
  }

  static AttendRequest callsLost(NodeSelf attendee, dev.rollcall.agent.event.CallsLost lost) {
    return AttendRequest.newBuilder()
        .setCallsLost(
            CallsLost.newBuilder().setNode(attendee.epoch().node().text()).setLost(lost.calls()))
        .build();
  }
}
