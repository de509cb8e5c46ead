package dev.rollcall.agent.attend;

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
import dev.rollcall.wire.JobWords;
import dev.rollcall.wire.NodeWords;
import dev.rollcall.wire.Words;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** What this node tells, as messages. */
final class Events {
  /** So that the answer stays below a message's limit: about 40 bytes each. */
  private static final int MOST_PROCESSES_IN_AN_ANSWER = 20_000;

  static final int MOST_PROCESSES_IN_A_CHANGE = 4_000;

  static final AttendRequest HEARTBEAT =
      AttendRequest.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()).build();
  static final AttendRequest STATE_COMPLETE =
      AttendRequest.newBuilder().setStateComplete(StateComplete.getDefaultInstance()).build();

  private Events() {}

  static AttendRequest hello(Attendee attendee) {
    var attendance =
        new Roll.Attendance(
            attendee.epoch(),
            attendee.addresses().get(),
            "",
            attendee.version(),
            attendee.callSource());
    return AttendRequest.newBuilder()
        .setHello(NodeWords.hello(attendee.cluster(), attendance))
        .build();
  }

  static List<AttendRequest> whole(
      Attendee attendee, Job job, List<JobProcess> processes, Instant observedAt) {
    return JobWords.told(
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
      Attendee attendee,
      Job job,
      List<JobProcess> came,
      Collection<ProcessRef> gone,
      Instant observedAt) {
    var message =
        JobOnNode.newBuilder()
            .setJob(
                JobWords.toProto(
                    job, attendee.epoch().node(), attendee.userName().apply(job.uid()), false))
            .setObservedAt(Words.timestamp(observedAt));
    came.forEach(process -> message.addProcesses(JobWords.member(process)));
    gone.forEach(process -> message.addGone(Words.toProto(process)));
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
                .setConnection(Words.toProto(question.connection()))
                .setPatience(Words.duration(question.patience()))
                .setTraceparent(question.span().traceparent()))
        .build();
  }

  static AttendRequest answer(long id, CallerAnswer answer) {
    return AttendRequest.newBuilder()
        .setAnswer(Answer.newBuilder().setQuestionId(id).setAnswer(Words.toProto(answer)))
        .build();
  }

  static AttendRequest processes(long id, List<JobProcess> processes, Instant observedAt) {
    var answer =
        ProcessesAnswer.newBuilder().setQuestionId(id).setObservedAt(Words.timestamp(observedAt));
    processes.stream()
        .limit(MOST_PROCESSES_IN_AN_ANSWER)
        .forEach(process -> answer.addProcesses(JobWords.listedOnNode(process)));
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

  static AttendRequest callsLost(Attendee attendee, dev.rollcall.agent.event.CallsLost lost) {
    return AttendRequest.newBuilder()
        .setCallsLost(
            CallsLost.newBuilder().setNode(attendee.epoch().node().text()).setLost(lost.calls()))
        .build();
  }
}
