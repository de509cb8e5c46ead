package dev.rollcall.cli.authority;

import dev.rollcall.cli.ask.Users;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The certificate authority of sites that have no other. Asks nobody. */
@Command(name = "ca", description = "Make, renew and revoke certificates, without a site's PKI.")
public final class CaGroup implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  public static CommandLine withCommands(Users users) {
    return new CommandLine(new CaGroup())
        .addSubcommand("init", new CaInitCommand())
        .addSubcommand("request", new CaRequestCommand())
        .addSubcommand("approve", new CaApproveCommand())
        .addSubcommand("issue", new CaIssueCommand(users))
        .addSubcommand("renew", new CaRenewCommand())
        .addSubcommand("revoke", new CaRevokeCommand())
        .addSubcommand("show", new CaShowCommand());
  }

  @Override
  public Integer call() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "ca init, request, approve, issue, renew, revoke or show?");
  }
}
