package dev.rollcall.cli.job;

import dev.rollcall.cli.ask.AskingCommand;
import dev.rollcall.model.JobId;
import picocli.CommandLine.Parameters;

/** A command about one job, which its argument names. */
abstract class JobCommand extends AskingCommand {
  @Parameters(paramLabel = "JOB", description = "The job's number.")
  protected JobId job = new JobId(1);
}
