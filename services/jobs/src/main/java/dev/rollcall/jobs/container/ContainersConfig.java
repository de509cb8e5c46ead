package dev.rollcall.jobs.container;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * The directories and limits of the containers of this node's jobs.
 *
 * @param rules empty: jobs get none, and what former ones left is removed
 * @param node this node's name
 * @param bootId of this boot
 * @param runDirectory gone with the boot
 * @param stateDirectory outlives it
 * @param userNames the name of a uid; empty text if it has none
 * @param before is told of each step before it is done; for tests of what happens in between
 */
public record ContainersConfig(
    Optional<ContainerRules> rules,
    String node,
    String bootId,
    Path runDirectory,
    Path stateDirectory,
    IntFunction<String> userNames,
    Consumer<String> before) {}
