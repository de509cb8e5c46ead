package dev.rollcall.gateway.api;

import dev.rollcall.gateway.route.NodeReply;
import dev.rollcall.gateway.route.Router;
import dev.rollcall.gateway.work.Workers;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessAnswer;
import dev.rollcall.model.ProcessAnswer.InJob;
import dev.rollcall.model.ProcessAnswer.InNoJob;
import dev.rollcall.model.ProcessAnswer.Unknown;
import dev.rollcall.model.ProcessOnNode;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.NodeProcesses;
import dev.rollcall.port.Roll.Owner;
import dev.rollcall.port.Roll.Presence;
import dev.rollcall.port.Roll.ProcessEntry;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.MembershipQuestion;
import dev.rollcall.proto.roll.v1.NodeAnswer;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.ProcessMapper;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Finds the jobs of processes. A connected node is asked about a single process: it looks at that
 * process only, while the roll would read all jobs of the node. The roll answers for nodes that do
 * not, and about many processes.
 */
public final class ProcessLookup {
  /** The half is for the node, the rest for the roll. */
  private static final Duration PATIENCE = Duration.ofMillis(500);

  private final Roll roll;
  private final ProcessReads reads;
  private final Router router;
  private final Timer time;
  private final Counter inJob;
  private final Counter inNoJob;
  private final Counter unknown;

  public ProcessLookup(Roll roll, Workers workers, Router router, MeterRegistry registry) {
    this.roll = roll;
    this.reads = new ProcessReads(roll, workers);
    this.router = router;
    time = registry.timer("rollcall.gateway.process.lookups");
    inJob = registry.counter("rollcall.gateway.process.answers", "answer", "job");
    inNoJob = registry.counter("rollcall.gateway.process.answers", "answer", "no-job");
    unknown = registry.counter("rollcall.gateway.process.answers", "answer", "unknown");
  }

  /** The answer as the client may see it: the node's, or the roll's if the node gives none. */
  CompletableFuture<ProcessAnswer> find(Principal asker, ProcessOnNode question) {
    return ask(asker, question, ServiceReplies.patience(PATIENCE).dividedBy(2))
        .thenCompose(live ->
            live.map(CompletableFuture::completedFuture)
                .orElseGet(() -> stored(asker, List.of(question)).thenApply(List::getFirst)))
        .thenApply(answer -> {
          count(answer);
          return answer;
        });
  }

  /** Empty if the node is not connected, or does not answer in time. */
  private CompletableFuture<Optional<ProcessAnswer>> ask(
      Principal asker, ProcessOnNode question, Duration patience) {
    if (!asker.maySeeSomeAt(question.node())
        || !(roll.presence(question.node()) instanceof Presence.Connected(Owner.OneNode node))) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return router
        .ask(node, message(question), patience)
        .thenApply(heard ->
            switch (heard) {
              case NodeReply.Said(NodeAnswer said) ->
                  Optional.of(
                      asker.seen(
                          question.node(),
                          router
                              .answers()
                              .read(question.node(), () -> live(question, said), Unknown::new)));
              case NodeReply.Silent _ -> Optional.empty();
            });
  }

  private static ProcessAnswer live(ProcessOnNode question, NodeAnswer said) {
    ProcessAnswer answer =
        ProcessMapper.toModel(said.getMembership().getAnswer(), "membership_answer.answer");
    if (answer instanceof InJob found && !question.is(found.process())) {
      throw new BadWordException(
          "membership_answer.answer.in_job.process",
          found.process() + " is not the process that was asked for, " + question);
    }
    return answer;
  }

  private static ConnectResponse message(ProcessOnNode question) {
    var membership = MembershipQuestion.newBuilder().setPid(question.pid());
    question.startTime().ifPresent(membership::setStartTime);
    return ConnectResponse.newBuilder().setMembershipQuestion(membership).build();
  }

  /** Answers as the client may see it, in the order of the questions, from the roll. */
  CompletableFuture<List<ProcessAnswer>> find(Principal asker, List<ProcessOnNode> questions) {
    return stored(asker, questions)
        .thenApply(answers -> {
          answers.forEach(this::count);
          return answers;
        });
  }

  private CompletableFuture<List<ProcessAnswer>> stored(
      Principal asker, List<ProcessOnNode> questions) {
    Map<NodeName, Set<Integer>> pids =
        questions.stream()
            .filter(question -> asker.maySeeSomeAt(question.node()))
            .collect(
                Collectors.groupingBy(
                    ProcessOnNode::node,
                    Collectors.mapping(ProcessOnNode::pid, Collectors.toSet())));
    long start = System.nanoTime();
    CompletableFuture<Map<NodeName, ProcessReads.Found>> stored =
        pids.isEmpty() ? CompletableFuture.completedFuture(Map.of()) : reads.find(pids);
    return stored.thenApply(nodes -> {
      List<ProcessAnswer> answers =
          questions.stream()
              .map(question ->
                  asker.seen(
                      question.node(),
                      answer(question, Optional.ofNullable(nodes.get(question.node())))))
              .toList();
      time.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
      return answers;
    });
  }

  /** Pure. A process that was moved is for a moment in two jobs' lists: the later list counts. */
  private static ProcessAnswer answer(ProcessOnNode question, Optional<ProcessReads.Found> stored) {
    if (stored.isEmpty()) {
      return new Unknown("node " + question.node() + " is not known");
    }
    return stored.get().of(question.pid()).stream()
        .filter(entry -> question.is(entry.process().process()))
        .max(Comparator.comparing(ProcessEntry::observedAt))
        .<ProcessAnswer>map(ProcessLookup::inJob)
        .orElseGet(() -> absent(question, stored.get().node()));
  }

  private static ProcessAnswer inJob(ProcessEntry entry) {
    return new InJob(
        entry.process().process(),
        new JobStep(entry.job().id(), entry.process().step()),
        entry.job().uid(),
        entry.observedAt(),
        entry.stale());
  }

  private static ProcessAnswer absent(ProcessOnNode question, NodeProcesses node) {
    if (node.lost()) {
      return new Unknown(
          "node " + question.node() + " is lost: it was last heard of at " + whole(node.heardAt()));
    }
    if (!node.complete()) {
      return new Unknown("node " + question.node() + " has not sent all of its jobs yet");
    }
    if (node.jobs() == 0) {
      return new InNoJob(node.heardAt());
    }
    return new Unknown(
        question + " was in no job at the node's last report, but it may have started since");
  }

  private static String whole(Instant at) {
    return Instant.ofEpochSecond(at.getEpochSecond()).toString();
  }

  private void count(ProcessAnswer answer) {
    switch (answer) {
      case InJob _ -> inJob.increment();
      case InNoJob _ -> inNoJob.increment();
      case Unknown _ -> unknown.increment();
    }
  }
}
