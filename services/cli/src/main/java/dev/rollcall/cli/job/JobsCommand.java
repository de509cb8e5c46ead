package dev.rollcall.cli.job;

import dev.rollcall.cli.ask.AskingCommand;
import dev.rollcall.cli.ask.NodeNames;
import dev.rollcall.cli.ask.Pages;
import dev.rollcall.cli.ask.Target;
import dev.rollcall.cli.ask.UserOption;
import dev.rollcall.cli.node.NodesCommand;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.Node;
import io.grpc.Channel;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists jobs, those of this node at its agent, those of the cluster at a gateway. */
@Command(
    name = "jobs",
    description = "List the jobs of this node, or, through a gateway, of all nodes.")
public final class JobsCommand extends AskingCommand {
  @Mixin private UserOption user = new UserOption();

  @Option(
      names = "--node",
      paramLabel = "NODES",
      description = "Only jobs on this node, or these: node[01-18].")
  private @Nullable NodeNames nodes;

  private String restriction = "";

  @Override
  public Integer call() {
    ListRequest.Builder request = ListRequest.newBuilder();
    user.uid(users()).ifPresent(request::setUid);
    List<Job> jobs = asking.ask(channel -> list(channel, request));
    if (jobs.isEmpty() && !restriction.isEmpty()) {
      printing.note(restriction);
    }
    var words = new JobPrinter(users());
    return printing.print(words.table(jobs), jobs.stream().map(words::json).toList());
  }

  /** No jobs on a node that is not there is a mistake in the name, not an empty list. */
  private List<Job> list(Channel channel, ListRequest.Builder request) {
    NodeNames wanted = nodes;
    if (wanted == null) {
      return Pages.jobs(channel, request, this::restricted);
    }
    if (wanted.isOne()) {
      request.setNode(wanted.names().getFirst());
    }
    Set<String> names = Set.copyOf(wanted.names());
    List<Job> jobs =
        Pages.jobs(channel, request, this::restricted).stream()
            .filter(job -> wanted.isOne() || names.contains(job.getNode()))
            .toList();
    Set<String> withJobs = jobs.stream().map(Job::getNode).collect(Collectors.toSet());
    if (asking.target() instanceof Target.Gateway && !withJobs.containsAll(names)) {
      wanted.areAmong(NodesCommand.list(channel).stream().map(Node::getNode).toList());
    }
    return jobs;
  }

  private void restricted(String reason) {
    restriction = reason;
  }
}
