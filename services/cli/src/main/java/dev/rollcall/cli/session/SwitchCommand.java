package dev.rollcall.cli.session;

import dev.rollcall.cli.ask.AskingCommand;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.model.JobId;
import dev.rollcall.proto.v1.SwitchRequest;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Moves this session to another job of the user's, or says which one the next sessions enter. */
@Command(
    name = "switch",
    description = {
      "Move the processes of this session into another job of yours on this node.",
      "With --next, your next sessions on this node enter the job, and running processes stay."
    })
public final class SwitchCommand extends AskingCommand {
  @Parameters(paramLabel = "ID", arity = "0..1", description = "The job's number.")
  private @Nullable JobId job;

  @Option(names = "--next", description = "Choose it for the next sessions, until it ends.")
  private boolean next;

  @Option(names = "--none", description = "Cancel the choice of --next.")
  private boolean none;

  @Override
  public Integer call() {
    if (none == (job != null) || (none && next)) {
      throw CommandFailure.usage("switch ID, switch --next ID, or switch --none?");
    }
    if (job == null) {
      return choose(
          0,
          "your choice is cancelled: your next sessions on this node are decided by the site's"
              + " rules");
    }
    if (next) {
      return choose(
          job.number(), "your next sessions on this node enter job " + job + ", until it ends");
    }
    JobId into = job;
    var move = new SessionMove(outside.ownProcesses(), (int) ProcessHandle.current().pid());
    SessionMove.Moved moved = asking.ask(channel -> move.into(into, channel));
    printing.print(moved.text(), moved.json());
    return (moved.whole() ? ExitCode.OK : ExitCode.FAILED).status();
  }

  private int choose(long number, String said) {
    asking.adoptions(
        service -> service.switch_(SwitchRequest.newBuilder().setJobId(number).build()));
    JsonFields json = new JsonFields().with("next", number == 0 ? null : number);
    return printing.print(said, json);
  }
}
