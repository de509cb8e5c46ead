package dev.rollcall.cli.session;

import dev.rollcall.cli.ask.AskingCommand;
import dev.rollcall.cli.ask.UserOption;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.ReasonText;
import dev.rollcall.cli.text.TerminalText;
import dev.rollcall.cli.text.Values;
import dev.rollcall.model.NodeName;
import dev.rollcall.proto.v1.Outcome;
import dev.rollcall.proto.v1.PredictRequest;
import dev.rollcall.proto.v1.PredictResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints the decision that a user's login would get now. */
@Command(
    name = "explain",
    description = "Show what would happen now if a user logged in to a node by ssh. Moves nothing.")
public final class ExplainCommand extends AskingCommand {
  @Parameters(
      index = "0",
      paramLabel = "USER",
      description = "The user's name, or + and the uid: +2002.")
  private String user = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "NODE",
      description =
          "The node of the login (default: this one). Other nodes are asked through the gateway.")
  private @Nullable NodeName node;

  @Override
  public Integer call() {
    var request = PredictRequest.newBuilder().setUid(UserOption.parse(user, users()));
    if (node != null) {
      request.setNode(node.text());
    }
    PredictResponse told = asking.adoptions(service -> service.predict(request.build()));
    return printing.print(text(told), json(told));
  }

  private String text(PredictResponse told) {
    List<String> lines = new ArrayList<>();
    String into =
        told.getOutcome() == Outcome.OUTCOME_ADOPTED ? " into job " + told.getJobId() : "";
    lines.add(user + " logging in to " + told.getNode() + " now: " + outcome(told) + into);
    if (!told.getOnlyWatched().isEmpty()) {
      lines.add(
          "not enforced: the session would be left as it is, by "
              + told.getOnlyWatched()
              + " on "
              + told.getNode());
    }
    lines.add("reason: " + told.getReason() + ": " + ReasonText.clause(told.getReason()));
    if (!told.getMessage().isEmpty()) {
      lines.add("the user reads: " + told.getMessage());
    }
    if (!told.getDoubt().isEmpty()) {
      lines.add("not known yet: " + told.getDoubt());
    }
    if (told.getCallersJobsCount() > 0) {
      lines.add(
          "a connection from one of these jobs enters that job: "
              + told.getCallersJobsList().stream()
                  .map(String::valueOf)
                  .collect(Collectors.joining(", ")));
    }
    lines.add(
        told.getOptionsSeen()
            ? "by the PAM options of the last login there"
            : "by the defaults of the PAM options: no login has shown others yet");
    return lines.stream().map(TerminalText::of).collect(Collectors.joining(System.lineSeparator()));
  }

  private static String outcome(PredictResponse told) {
    return Values.state(told.getOutcome(), "OUTCOME_").replace('_', ' ');
  }

  private JsonFields json(PredictResponse told) {
    return new JsonFields()
        .with("user", user)
        .with("node", told.getNode())
        .with("outcome", outcome(told))
        .with("job", told.getJobId() == 0 ? null : told.getJobId())
        .with("reason", told.getReason())
        .withText("doubt", told.getDoubt())
        .withText("message", told.getMessage())
        .with("callers_jobs", told.getCallersJobsList())
        .with("options_seen", told.getOptionsSeen())
        .withText("only_watched", told.getOnlyWatched());
  }
}
