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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Finds the jobs of processes. A connected node is asked, once for all of its processes in a
 * request: it looks at these only, while the roll would read all jobs of the node. The roll answers
 * for nodes that do not.
 */
public final class ProcessLookup {
  /** The half is for the nodes, the rest for the roll. */
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

  /** Answers as the client may see them, in the order of the questions. */
  CompletableFuture<List<ProcessAnswer>> find(Principal asker, List<ProcessOnNode> questions) {
    Duration patience = ServiceReplies.patience(PATIENCE).dividedBy(2);
    Map<NodeName, List<ProcessOnNode>> byNode =
        questions.stream()
            .distinct()
            .filter(question -> asker.maySeeSomeAt(question.node()))
            .collect(Collectors.groupingBy(ProcessOnNode::node));
    Map<ProcessOnNode, ProcessAnswer> answers = new ConcurrentHashMap<>();
    CompletableFuture<?>[] asked =
        byNode.entrySet().stream()
            .map(of -> ask(of.getKey(), of.getValue(), patience).thenAccept(answers::putAll))
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(asked)
        .thenCompose(_ -> stored(byNode, answers.keySet()))
        .thenApply(stored -> {
          answers.putAll(stored);
          return questions.stream().map(question -> seen(asker, question, answers)).toList();
        });
  }

  private ProcessAnswer seen(
      Principal asker, ProcessOnNode question, Map<ProcessOnNode, ProcessAnswer> answers) {
    // Nobody was asked where the client may see nothing.
    ProcessAnswer answer =
        asker.seen(question.node(), answers.getOrDefault(question, new Unknown("not asked")));
    count(answer);
    return answer;
  }

  /** Nothing if the node is not connected, or does not answer in time. */
  private CompletableFuture<Map<ProcessOnNode, ProcessAnswer>> ask(
      NodeName name, List<ProcessOnNode> questions, Duration patience) {
    if (!(roll.presence(name) instanceof Presence.Connected(Owner.OneNode node))) {
      return CompletableFuture.completedFuture(Map.of());
    }
    return router
        .ask(node, message(questions), patience)
        .thenApply(heard ->
            switch (heard) {
              case NodeReply.Said(NodeAnswer said) ->
                  router
                      .answers()
                      .read(
                          name,
                          () -> live(questions, said.getMembership().getAnswersList()),
                          why -> each(questions, _ -> new Unknown(why)));
              case NodeReply.Silent _ -> Map.of();
            });
  }

  private static Map<ProcessOnNode, ProcessAnswer> live(
      List<ProcessOnNode> questions, List<dev.rollcall.proto.v1.ProcessAnswer> said) {
    if (said.size() != questions.size()) {
      throw new BadWordException(
          "membership_answer.answers", said.size() + " are not " + questions.size());
    }
    var answers = said.iterator();
    return each(questions, question -> live(question, answers.next()));
  }

  private static ProcessAnswer live(
      ProcessOnNode question, dev.rollcall.proto.v1.ProcessAnswer said) {
    ProcessAnswer answer = ProcessMapper.toModel(said, "membership_answer.answers");
    if (answer instanceof InJob found && !question.is(found.process())) {
      throw new BadWordException(
          "membership_answer.answers.in_job.process",
          found.process() + " is not the process that was asked for, " + question);
    }
    return answer;
  }

  private static Map<ProcessOnNode, ProcessAnswer> each(
      List<ProcessOnNode> questions, Function<ProcessOnNode, ProcessAnswer> answer) {
    var answers = new HashMap<ProcessOnNode, ProcessAnswer>();
    questions.forEach(question -> answers.put(question, answer.apply(question)));
    return answers;
  }

  private static ConnectResponse message(List<ProcessOnNode> questions) {
    var membership = MembershipQuestion.newBuilder();
    questions.forEach(question -> membership.addProcesses(ProcessMapper.toProto(question)));
    return ConnectResponse.newBuilder().setMembershipQuestion(membership).build();
  }

  /** What the roll has of those that are not answered. */
  private CompletableFuture<Map<ProcessOnNode, ProcessAnswer>> stored(
      Map<NodeName, List<ProcessOnNode>> byNode, Set<ProcessOnNode> answered) {
    List<ProcessOnNode> rest =
        byNode.values().stream()
            .flatMap(List::stream)
            .filter(question -> !answered.contains(question))
            .toList();
    if (rest.isEmpty()) {
      return CompletableFuture.completedFuture(Map.of());
    }
    long start = System.nanoTime();
    return reads
        .find(
            rest.stream()
                .collect(
                    Collectors.groupingBy(
                        ProcessOnNode::node,
                        Collectors.mapping(ProcessOnNode::pid, Collectors.toSet()))))
        .thenApply(nodes -> {
          time.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
          return each(
              rest, question -> answer(question, Optional.ofNullable(nodes.get(question.node()))));
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
