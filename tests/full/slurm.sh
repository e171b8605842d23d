#!/bin/sh
# A real Slurm on this machine alone (munged, slurmctld, slurmd on the loopback interface, state in a folder of its own) works off a list of work:
# the corpus x 2 SDKs x 2 objectives in eight shards, with packaging/slurm as it stands.
#   in the middle: one task is killed by a signal, one runs out of memory, and the node is lost with all that it runs and comes back
#   the merged result is that of one process, byte for byte, in every form and in status; each outcome is there once
#   a part that is lost is named by the merge, with its shard
#   tests/full/slurm.sh [--build DIR] [--models DIR]
# Installs slurm-wlm and munge where they are missing and it may (root); 77 where it may not.
set -u
build=build models=${NPU_ADVISE_CORPUS:+$NPU_ADVISE_CORPUS/models}
while [ $# -gt 0 ]; do
    case $1 in
    --build) build=$2; shift 2 ;;
    --models) models=$2; shift 2 ;;
    *) echo "unknown: $1"; exit 2 ;;
    esac
done
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
[ -d "$models" ] || { echo "needs a folder of models: set NPU_ADVISE_CORPUS, or give --models"; exit 77; }
if ! command -v slurmctld > /dev/null || ! command -v munged > /dev/null; then
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends slurm-wlm munge; } > /dev/null 2>&1 ||
        { echo "needs slurm-wlm and munge"; exit 77; }
fi
advise=$(cd "$build" && pwd)/npu-advise
slurm=$(cd "$(dirname "$0")/../../packaging/slurm" && pwd)
models=$(cd "$models" && pwd)
work=$(mktemp -d /var/tmp/slurm-XXXXXX)
host=$(hostname -s) shards=8 failed=0
export SLURM_CONF="$work/slurm.conf"
cd "$work" || exit 1
mkdir state spool bin parts

# Of the node: its daemon, the keepers of its steps, and what they run.
node_pids() {
    cat slurmd.pid 2> /dev/null
    scontrol listpids 2> /dev/null | awk 'NR > 1 && $1 > 1 { print $1 }' | while read -r pid; do
        keeper=$(ps -o ppid= -p "$pid" | tr -d ' ')
        [ "$(cat "/proc/${keeper:-0}/comm" 2> /dev/null)" != slurmstepd ] || echo "$keeper"
        echo "$pid"
    done
}
# shellcheck disable=SC2046
lose_node() { kill -9 $(node_pids) 2> /dev/null; }
stop() {
    lose_node
    for file in slurmctld.pid munged.pid; do [ ! -s $file ] || kill "$(cat $file)" 2> /dev/null; done
    sleep 1
    cd / && rm -rf "$work"
}
trap stop EXIT
trap 'exit 1' INT TERM
say() { echo "$(date +%T) $*"; }
holds() { if eval "$2"; then echo "holds: $1"; else echo "FAILED: $1"; failed=1; fi; }
wait_for() { # SECONDS CONDITION
    left=$1
    until eval "$2"; do left=$((left - 1)); [ $left -gt 0 ] || { echo "waited in vain: $2"; squeue; tail -n 5 slurmctld.log; tail -n 5 slurmd.log; exit 1; }; sleep 1; done
}

# ---- the cluster ----
dd if=/dev/urandom of=munge.key bs=128 count=1 2> /dev/null && chmod 400 munge.key && chmod 755 "$work"
munged --force --key-file="$work/munge.key" --socket="$work/munge.socket" --pid-file="$work/munged.pid" --log-file="$work/munged.log" --seed-file="$work/munged.seed" || exit 1
ports=$(/usr/bin/python3 -c 'import socket
s = [socket.socket() for _ in range(2)]
for x in s: x.bind(("127.0.0.1", 0))
print(*[x.getsockname()[1] for x in s])')
cat > slurm.conf <<C
ClusterName=npu
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports% *}
SlurmdPort=${ports#* }
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket,cred_expire=5
SlurmUser=root
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
JobRequeue=1
ReturnToService=2
SlurmdTimeout=15
KillWait=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 RealMemory=8000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
C
start_node() { slurmd -f "$SLURM_CONF" || exit 1; }
slurmctld -f "$SLURM_CONF" || exit 1
start_node
wait_for 60 "sinfo -h -o %T | grep -q idle"
say "$(slurmd -V): $(sinfo -h -o '%T, %c processors')"

# ---- the misfortunes: what the jobs find under the name npu-advise ----
cat > bin/npu-advise <<C
#!/bin/sh
# Tasks 2 and 5, the first time: once three outcomes are written, a signal; more memory than was asked for.
"$advise" "\$@" &
pid=\$!
part=$work/parts/\${SLURM_ARRAY_TASK_ID:-0}.ndjson.unfinished
if [ "\${SLURM_RESTART_COUNT:-0}" = 0 ]; then
    case \${SLURM_ARRAY_TASK_ID:-} in
    2) until [ "\$(grep -c '"kind":"outcome"' "\$part" 2> /dev/null)" -ge 3 ]; do sleep 0.05; done; kill -9 \$pid ;;
    5) until [ "\$(grep -c '"kind":"outcome"' "\$part" 2> /dev/null)" -ge 3 ]; do sleep 0.05; done
       kill -STOP \$pid # it would end before Slurm looks
       /usr/bin/python3 -c 'import time; held = b"x" * (700 << 20); time.sleep(60)' ;;
    esac
fi
wait \$pid
status=\$?
[ \$status -le 128 ] || kill -9 \$\$
exit \$status
C
chmod +x bin/npu-advise
PATH=$work/bin:$PATH SBATCH_MEM_PER_NODE=500M # of 2 GiB; npu-advise itself needs 60 MiB
export PATH SBATCH_MEM_PER_NODE

# ---- one process, and the cluster ----
cp -r "$models" models && chmod -R u+w models
"$advise" shards models --matrix sdk=0.9,0.10 objective=latency,throughput -o shards.ndjson || exit 1
say "$(($(wc -l < shards.ndjson) - 1)) items"
forms() { echo "--html $1/fleet.html --json $1/fleet.json --sarif $1/fleet.sarif --junit $1/fleet.xml --csv $1/fleet.csv --ndjson $1/fleet.ndjson --markdown $1/fleet.md"; }
mkdir one many
"$advise" --shards shards.ndjson $(forms one) > one/text 2> /dev/null
one=$?
say "one process: status $one"
jobs=$("$slurm/fleet" shards.ndjson "$work/parts" $shards $(forms many)) || exit 1
array=${jobs% *} merge=${jobs#* }
say "jobs $jobs"
wait_for 600 "[ \$(ls parts | grep -c 'ndjson$') -ge 2 ] && ls parts | grep -q unfinished"
say "the node is lost: $(ls parts | tr '\n' ' ')"
lose_node
sleep 2
start_node
wait_for 900 "! squeue -h | grep -q ."
say "all jobs have ended"
cat slurm-*.out > log
holds "a task that a signal ended requeued itself" "grep -q requeued slurm-${array}_2.out"
holds "a task without memory requeued itself" "grep -q requeued slurm-${array}_5.out && grep -qi 'memory' slurm-${array}_5.out"
holds "the node was lost" "grep -q 'requeue job.*due to failure of node\|Requeuing JobId=\|requeued.*node\|NODE_FAIL\|lost' slurmctld.log"
holds "each part is there, and no journal" "[ \$(ls parts | grep -c 'ndjson$') = $shards ] && [ \$(ls parts | wc -l) = $shards ]"
holds "each outcome is there once" "[ \$(cat parts/*.ndjson | grep -o '^{\"kind\":\"outcome\",\"index\":[0-9]*' | sort | uniq | wc -l) = \$(($(wc -l < shards.ndjson) - 1)) ] && [ \$(cat parts/*.ndjson | grep -c '^{\"kind\":\"outcome\"') = \$(($(wc -l < shards.ndjson) - 1)) ]"
cp "slurm-$merge.out" many/text
holds "the merged result is that of one process, byte for byte" "diff -r one many > differs"
"$advise" merge --shards shards.ndjson parts/*.ndjson > /dev/null 2>&1
holds "and so is its status" "[ $? = $one ]"

# ---- a part that is lost ----
mv parts/3.ndjson kept
lost=$(sbatch --parsable --wait "$slurm/merge.sbatch" shards.ndjson "$work/parts" --json lost.json)
holds "a part that is lost is named with its shard, and nothing is written" "grep -q 'run shard 3/$shards again' slurm-$lost.out && [ ! -e lost.json ]"
sbatch --wait --array=3 "$slurm/shard.sbatch" shards.ndjson "$work/parts" $shards > /dev/null
holds "and the same after it was run again" "cmp parts/3.ndjson kept"
printf x >> kept && holds "what differs is seen" "! cmp -s parts/3.ndjson kept"
[ $failed = 0 ] || { tail -n 20 log; tail -n 20 slurmctld.log; head -n 20 differs; }
exit $failed
